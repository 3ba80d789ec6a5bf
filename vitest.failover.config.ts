import { defineConfig } from 'vitest/config'

/** Opt-in suites that need servers of the operating system: `npm run test:redis`. */
export default defineConfig({
  test: {
    include: ['trials/failover/*.failover.ts'],
    globalSetup: ['scripts/testing/global-setup.ts'],
    pool: 'forks',
    // Each file starts about ten processes.
    fileParallelism: false,
    // A skipped suite says why in its title.
    reporters: ['verbose'],
    teardownTimeout: 10_000,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
