import type { TestProject } from 'vitest/node'
import { buildClient } from '#scripts/build/build-client'
import { setup as startServers } from './global-setup.ts'

export { teardown } from './global-setup.ts'

/**
 * Starts the servers and builds the client, which journeys open as the gateway serves it. Each part
 * uses one core for most of its time.
 */
export async function setup(project: TestProject) {
  await Promise.all([startServers(project), buildClient()])
}
