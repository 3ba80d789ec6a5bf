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

/** Faults follow the journeys, whose pages their processes under load would slow down. */
function turnOf({ moduleId, project }: TestSpecification): number {
  const file = path.relative(ROOT, moduleId).split(path.sep).join('/')
  if (project.name === 'client') return 3
  if (file.startsWith('trials/chaos/')) return 2
  return LONG.some((start) => file.startsWith(start)) ? 0 : 1
}

/**
 * Long files first and those of the client, which only compute, last, so that no core is idle while a
 * file waits or ends. Vitest goes by the size of a file until it has measured it.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => turnOf(one) - turnOf(other))
  }
}
