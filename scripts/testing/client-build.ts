import { buildClient } from '#scripts/build/build-client'

/** The end-to-end tests open the client as it is served; it is built once, before the first of them. */
export async function setup() {
  await buildClient()
}
