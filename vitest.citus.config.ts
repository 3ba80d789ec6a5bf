import { defineConfig } from 'vitest/config'
import { testProjects } from './scripts/testing/projects.ts'

/** Tests of plans, locks, partitions and statements of one server, and of migrations before Citus. */
const OF_ONE_SERVER = [
  'db/ledger/{audit,audit/fact-plan}.test.ts',
  // The form of plain Postgres; trials/citus/suite has tests of the other one.
  'db/ledger/retention/*.test.ts',
  'db/migrations/**',
  'db/mining/{mining-statements,snapshots-plan}.test.ts',
  'db/mining/folding/fold-steps.test.ts',
  'db/mining/sweep/sweep-plan.test.ts',
  'db/postgres/{months,schema}/*.test.ts',
  'db/postgres/statements/prepared.test.ts',
  'db/team/mining-members.test.ts',
  'gateway/services/snapshot-loader.test.ts',
  // It forces generic plans, which Citus does not make.
  'trials/simulation/**',
]

/** The integration tests on three nodes of Citus: `npm run test:citus`. */
export default defineConfig({
  test: {
    include: [...testProjects(import.meta.dirname).integration, 'trials/citus/suite/*.citus.ts'],
    exclude: OF_ONE_SERVER,
    globalSetup: ['trials/citus/global-setup.ts'],
    setupFiles: ['scripts/testing/fast-check-seed.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 4,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 20_000 } },
    // Statements over several nodes take tens of milliseconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
