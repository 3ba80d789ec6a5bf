import path from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Tests of plans, locks, partitions and statements of one server, and of migrations before Citus. */
const OF_ONE_SERVER = [
  'db/{engine/citus/audit,ledger/audit,ledger/audit/fact-plan}.int.test.ts',
  // The steps of plain Postgres; trials/citus tests the others.
  'db/ledger/retention/*.test.ts',
  'db/migrations/**',
  'db/mining/{mining-statements,snapshots-plan}.int.test.ts',
  'db/mining/archive-sessions.int.test.ts',
  'db/mining/{sweep,end-sessions}-plan.int.test.ts',
  'db/tasks-plan.int.test.ts',
  'db/ledger/{partition-merges/*,partitions.int}.test.ts',
  'db/postgres/statements/prepared.int.test.ts',
  'db/team/mining-members.int.test.ts',
  'gateway/services/snapshot-loader.int.test.ts',
  // They start embedded servers of their own.
  'scripts/commands/services/{dev,start}.int.test.ts',
  // It forces generic plans, which Citus does not make.
  'trials/simulation/**',
]

/** Suites that `npm run trial` runs: they need programs of the operating system, or minutes. */
export default defineConfig({
  test: {
    root: ROOT,
    pool: 'forks',
    reporters: ['verbose'],
    teardownTimeout: 10_000,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'failover',
          include: ['trials/failover/*.failover.ts'],
          globalSetup: ['scripts/testing/global-setup.ts'],
          // Each file starts about ten processes.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'citus',
          include: [
            '{db,gateway,operators,runtime,scripts,trials,workers}/**/*.int.test.ts',
            'trials/citus/*.citus.ts',
          ],
          exclude: OF_ONE_SERVER,
          globalSetup: ['trials/citus/testing/global-setup.ts'],
          setupFiles: ['scripts/testing/fast-check-seed.ts'],
          isolate: false,
          maxWorkers: 4,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
