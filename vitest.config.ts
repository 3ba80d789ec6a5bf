import { defineConfig } from 'vitest/config'

const nodeSetup = ['scripts/testing/global-setup.ts']
const propertySetup = ['scripts/testing/fast-check-seed.ts']

export default defineConfig({
  test: {
    // Each file has a process of its own, so that one that leaves handles open ends with its file.
    pool: 'forks',
    // More than the two cores that it is run on: many files wait for time to pass.
    maxWorkers: 3,
    teardownTimeout: 10_000,
    slowTestThreshold: 10_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{db,workers,gateway,scripts}/**/*.test.ts'],
          globalSetup: nodeSetup,
          setupFiles: propertySetup,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        define: { __APP_VERSION__: JSON.stringify('1.4.0') },
        test: {
          name: 'client',
          environment: 'happy-dom',
          setupFiles: propertySetup,
          include: ['client/**/*.test.{ts,tsx}'],
          exclude: ['client/e2e/**'],
          testTimeout: 20_000,
          // Testing Library cleans up after each test where `afterEach` is global.
          globals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['client/e2e/**/*.e2e.ts'],
          globalSetup: [...nodeSetup, 'scripts/testing/client-build.ts'],
          // After everything else. Journeys mostly wait, but a browser needs a core now and then.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
