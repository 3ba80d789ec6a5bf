import { image } from './parts/image.ts'
import { profiles } from './parts/profiles.ts'
import { restarts } from './parts/restarts.ts'
import type { Log, Part } from './parts/running.ts'
import { upgrade } from './parts/upgrade.ts'
import { buildImage } from './stack/image.ts'

/** Parts of the test in their order; each starts docker-compose.yml as a project of its own. */
export const PARTS = { image, restarts, upgrade, profiles } satisfies Record<string, Part>

export type PartName = keyof typeof PARTS

/** Builds the image and shows with docker-compose.yml what members and operators see of it. */
export async function testContainers(log: Log, names: PartName[]): Promise<string[]> {
  log('building the image')
  await buildImage()
  const problems: string[] = []
  for (const name of names) {
    log(`\n${name}`)
    problems.push(...(await PARTS[name](log)))
  }
  return problems
}
