import { imageProblems, imageSize } from '#scripts/containers/stack/image'
import { coldStarts, memory } from '#scripts/containers/stack/role-figures'
import type { Stack } from '#scripts/containers/stack/stack'
import { runSteps } from '#scripts/containers/steps/run-steps'
import { STEPS } from '#scripts/containers/steps/steps'
import { type Log, whileRunning } from './running.ts'

const ROLES = ['gateway', 'workers'] as const

/** Size and content of the image, cold start and memory of each role. */
async function reportImage(stack: Stack, log: Log): Promise<string[]> {
  const { total, aboveBase } = await imageSize()
  log(`image: ${total} MB, ${aboveBase} MB above its base`)
  for (const role of ROLES) {
    const times = await coldStarts(stack, role)
    log(`${role}: ready after ${times.join(', ')} ms, ${(await memory(stack, role)).join(', ')}`)
  }
  return imageProblems()
}

/** The commands of operators, as docs/containers.md names them. */
async function runCommands(stack: Stack, log: Log): Promise<void> {
  const run = (...args: string[]) => stack.compose('run', '--rm', '-T', ...args)
  log((await run('audit')).trim())
  JSON.parse((await run('ops', 'status', '--json')).replace(/^[^{]*/, ''))
  log('docker compose run --rm ops status answers')
}

/** A journey through the proxy, then scaling and a restart of every service under load. */
export function restarts(log: Log): Promise<string[]> {
  return whileRunning({}, async ({ stack, members }) => {
    log('two gateways, two workers, Postgres, Redis and the proxy are healthy')
    const problems = await reportImage(stack, log)
    for (const step of await members.do('journey')) log(`  a member ${step}`)
    await runCommands(stack, log)
    return [...problems, ...(await runSteps(stack, members, STEPS, log))]
  })
}
