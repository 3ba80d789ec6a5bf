import { buildClient } from '#scripts/build/build-client'

/** Builds the client once before the journeys, which open it as the gateway serves it. */
export async function setup() {
  await buildClient()
}
