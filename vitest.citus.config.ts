import { defineConfig } from 'vitest/config'

/** What the database decides, on three nodes of Citus: `npm run test:citus`. */
export default defineConfig({
  test: {
    include: [
      'db/ledger/*.test.ts',
      'db/mining/sweep.test.ts',
      'workers/jobs/{sweep-credits,poisoned-sessions,send-reminders}.test.ts',
      'gateway/routes/{claim,mining,mining-race,tasks,milestones,team,wallet,network}.test.ts',
      'gateway/routes/{register-race,delete-race,statement,export,mining-quarantine}.test.ts',
    ],
    globalSetup: ['scripts/citus/global-setup.ts'],
    setupFiles: ['scripts/testing/fast-check-seed.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    teardownTimeout: 10_000,
    // Statements over several nodes take tens of milliseconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
