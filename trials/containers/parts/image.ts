import { imageProblems, imageSize } from '#trials/containers/stack/image'
import { coldStarts, memory } from '#trials/containers/stack/role-figures'
import { type Log, whileRunning } from './running.ts'

const ROLES = ['gateway', 'workers'] as const

/** Size and content of the image, cold start and memory of each role at rest. */
export function image(log: Log): Promise<string[]> {
  return whileRunning({}, async ({ stack }) => {
    const { total, aboveBase } = await imageSize()
    log(`image: ${total} MB, ${aboveBase} MB above its base`)
    for (const role of ROLES) {
      const times = await coldStarts(stack, role)
      log(`${role}: ready after ${times.join(', ')} ms, ${(await memory(stack, role)).join(', ')}`)
    }
    return imageProblems()
  })
}
