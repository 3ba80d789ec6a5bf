import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '#runtime/process/root'

/** What takes longest for its size: browsers, other processes, servers that stay away for seconds. */
const LONG = [
  'client/e2e/',
  'scripts/',
  'gateway/not-modified/',
  'runtime/redis/',
  'workers/redis-',
]

/** Tests of faults run after the journeys: their processes under load would slow the pages down. */
function turnOf({ moduleId, project }: TestSpecification): number {
  const file = path.relative(ROOT, moduleId).split(path.sep).join('/')
  if (project.name === 'client') return 3
  if (file.startsWith('trials/chaos/')) return 2
  return LONG.some((start) => file.startsWith(start)) ? 0 : 1
}

/**
 * Long files first and the short ones of the client last, so that no core is idle while a last file
 * ends. Vitest goes by the size of a file until it has measured it.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => turnOf(one) - turnOf(other))
  }
}
