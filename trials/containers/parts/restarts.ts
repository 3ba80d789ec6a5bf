import type { Stack } from '#trials/containers/stack/stack'
import { runSteps } from '#trials/containers/steps/run-steps'
import { STEPS } from '#trials/containers/steps/steps'
import { type Log, whileRunning } from './running.ts'

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
    for (const step of await members.do('journey')) log(`  a member ${step}`)
    await runCommands(stack, log)
    return runSteps(stack, members, STEPS, log)
  })
}
