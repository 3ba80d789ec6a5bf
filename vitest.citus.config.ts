import { defineConfig } from 'vitest/config'

/** What the database decides, on three nodes of Citus: `npm run test:citus`. */
export default defineConfig({
  test: {
    include: [
      'db/ledger/{ledger,ledger-race,credits/credit}.test.ts',
      'db/mining/sweep/sweep.test.ts',
      'db/members/member-changes.test.ts',
      'db/operators/{lag,members/*}.test.ts',
      'workers/jobs/{sweep-credits,sweep-shares,poisoned-sessions,send-reminders-mail}.test.ts',
      'workers/monitoring/workers-metrics.test.ts',
      'gateway/routes/{team,network}.test.ts',
      'gateway/routes/mining/{claim,mining,mining-race,tasks,milestones,mining-quarantine}.test.ts',
      'gateway/routes/wallet/{wallet,statement}.test.ts',
      'gateway/routes/sign-in/register-race.test.ts',
      'gateway/routes/account/{delete-race,export}.test.ts',
      'scripts/citus/suite/*.citus.ts',
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
