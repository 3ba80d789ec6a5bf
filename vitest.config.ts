import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { testProjects } from './scripts/testing/projects.ts'

const files = testProjects(import.meta.dirname)
const serverSetup = ['scripts/testing/global-setup.ts']
const setupFiles = ['scripts/testing/fast-check-seed.ts']

/**
 * Tests that mostly compute. One worker more than cores, because tests of the client wait for its
 * timers for a quarter of their time.
 */
const COMPUTING = {
  maxWorkers: Math.max(2, availableParallelism()) + 1,
  sequence: { groupOrder: 0 },
}
/**
 * Tests that mostly wait for servers, browsers and time. They are one group, so that no worker is idle
 * until the last file of a project has ended.
 */
const WAITING = {
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of a worker share its modules, because importing a file has no effect; loading them for
    // each file took more time than the tests. Every file still has its own database and Redis keys.
    isolate: false,
    teardownTimeout: 10_000,
    slowTestThreshold: 10_000,
    // Detects hangs only: long enough for a machine that runs several suites at once.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: files.unit, setupFiles, ...COMPUTING },
      },
      {
        extends: true,
        define: { __APP_VERSION__: JSON.stringify('1.4.0') },
        test: {
          name: 'client',
          include: files.client,
          ...COMPUTING,
          setupFiles: [
            ...setupFiles,
            'scripts/testing/browser-globals.ts',
            'client/testing/all-texts.ts',
          ],
          environment: 'happy-dom',
          // A fresh vm context for each file, but happy-dom is loaded once for each worker.
          pool: 'vmThreads',
          // Testing Library cleans up after each test if `afterEach` is global.
          globals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: files.integration,
          ...WAITING,
          globalSetup: serverSetup,
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: files.e2e,
          ...WAITING,
          globalSetup: [...serverSetup, 'scripts/testing/client-build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'chaos',
          include: files.chaos,
          ...WAITING,
          globalSetup: serverSetup,
          setupFiles,
        },
      },
    ],
  },
})
