import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '#runtime/process/root'

/** Folders whose tests start browsers and other processes, and so take longest for their size. */
const LONG = ['client/e2e/', 'scripts/']

const isLong = ({ moduleId }: TestSpecification) => {
  const file = path.relative(ROOT, moduleId).split(path.sep).join('/')
  return LONG.some((folder) => file.startsWith(folder))
}

/**
 * Starts long files first, so that no worker is idle while another one ends. Vitest goes by the size
 * of a file until it has measured it, and the longest ones are small.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const groups = new Map<string, TestSpecification[]>()
    for (const file of sorted) {
      const { name } = file.project
      groups.set(name, [...(groups.get(name) ?? []), file])
    }
    return [...groups.values()].flatMap((group) => [
      ...group.filter(isLong),
      ...group.filter((file) => !isLong(file)),
    ])
  }
}
