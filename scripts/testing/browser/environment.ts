import type { Environment } from 'vitest/runtime'

/**
 * Client code is resolved as for browsers. The window itself comes from `window-per-file.ts`: workers
 * live longer than a test file, and set up their environment once.
 */
const environment: Environment = {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown() {} }),
}

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export.
export default environment
