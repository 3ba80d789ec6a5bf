import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { PACKAGES_OF_A_PAGE, testingLibraryModules } from './scripts/testing/browser/packages.ts'
import { LongFilesFirst } from './scripts/testing/long-files-first.ts'

/** Every folder but the client's. */
const OUTSIDE_CLIENT = '{db,gateway,operators,runtime,scripts,trials,workers}'
/** The name of a test file decides its project. */
const files = {
  /** Needs no server and runs no command of the product. */
  unit: [`${OUTSIDE_CLIENT}/**/!(*.int).test.ts`],
  client: ['client/**/*.test.{ts,tsx}'],
  /** Needs Postgres or Redis, or runs commands of the product and other programs for seconds. */
  integration: [`${OUTSIDE_CLIENT}/**/*.int.test.ts`],
  /** Journeys in a browser. */
  e2e: ['{client/e2e,operators}/**/*.e2e.ts'],
  /** Faults: killed processes, lost servers, wrong clocks. */
  chaos: ['trials/chaos/**/*.test.ts'],
}
const setupFiles = ['scripts/testing/fast-check-seed.ts']

const servers = { globalSetup: ['scripts/testing/global-setup.ts'], setupFiles }
const journeys = { globalSetup: ['scripts/testing/journey-setup.ts'], setupFiles }

/** Whether the run names no project and no file. */
const isWholeRun = process.argv
  .slice(2)
  .every((argument) => ['run', 'list'].includes(argument) || /^-(?!-project)/.test(argument))
/**
 * A worker goes on to the next file only if that is of the same project, and a new worker takes four
 * seconds of CPU time to load the product. So all tests but the client's are one project in a whole run.
 */
const { client, ...others } = files
const exclude = [...configDefaults.exclude, ...files.chaos]
const otherProjects = isWholeRun
  ? { product: { ...journeys, include: Object.values(others).flat() } }
  : {
      unit: { setupFiles, include: files.unit, exclude },
      integration: { ...servers, include: files.integration },
      e2e: { ...journeys, include: files.e2e },
      chaos: { ...servers, include: files.chaos },
    }

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of a worker share its modules, because importing a file has no effect; loading them for
    // each file took more time than the tests. Every file still has its own database and Redis keys.
    isolate: false,
    // Without it a tenth of the CPU time of the client's tests is garbage collection.
    execArgv: ['--max-semi-space-size=64'],
    teardownTimeout: 10_000,
    slowTestThreshold: 10_000,
    sequence: { sequencer: LongFilesFirst },
    // Most tests wait for servers, browsers and timers, so more of them run than there are cores.
    maxWorkers: 2 * Math.max(2, availableParallelism()) + 1,
    // As long as a step of a journey: on a busy machine a page takes a minute for what takes two seconds.
    expect: { poll: { timeout: 60_000 } },
    // Detects hangs only: long enough for a machine that runs several suites at once.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        define: { __APP_VERSION__: JSON.stringify('1.4.0') },
        resolve: { alias: testingLibraryModules(import.meta.dirname) },
        test: {
          name: 'client',
          include: client,
          setupFiles: [
            ...setupFiles,
            'scripts/testing/browser/window-per-file.ts',
            'scripts/testing/browser/without-owner-stacks.ts',
            'client/testing/all-texts.ts',
          ],
          environment: './scripts/testing/browser/environment.ts',
          server: { deps: { inline: PACKAGES_OF_A_PAGE } },
          // Testing Library cleans up after each test if `afterEach` is global.
          globals: true,
        },
      },
      ...Object.entries(otherProjects).map(([name, project]) => ({
        extends: true as const,
        test: { name, ...project },
      })),
    ],
  },
})
