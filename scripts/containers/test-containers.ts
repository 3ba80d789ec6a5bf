import { setTimeout as sleep } from 'node:timers/promises'
import { formatRows } from '#scripts/ops/print'
import { Members } from './members/members.ts'
import { buildImage, imageProblems, imageSize } from './stack/image.ts'
import { coldStarts, memory } from './stack/role-figures.ts'
import { Stack } from './stack/stack.ts'
import { stepRow } from './steps/step-row.ts'
import { SETTLE_MS, STEPS } from './steps/steps.ts'

/** Members with a page open; further ones mine without a page. */
const MEMBERS = 30
const ROLES = ['gateway', 'workers'] as const

type Log = (line: string) => void

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

/** Runs the steps under load; returns what failed. */
async function runSteps(stack: Stack, members: Members, log: Log): Promise<string[]> {
  const problems: string[] = []
  const rows: Record<string, unknown>[] = []
  await members.do('start', MEMBERS)
  for (const step of STEPS) {
    const startedAt = performance.now()
    await step.run(stack)
    const ms = performance.now() - startedAt
    await sleep(SETTLE_MS)
    const figures = await members.do('step')
    rows.push(stepRow(step.name, ms, figures))
    problems.push(...figures.failed.map((failure) => `${step.name}: ${failure}`))
    log(`  ${step.name}: done`)
  }
  problems.push(...(await members.do('stop')))
  log(formatRows(rows))
  return problems
}

/**
 * Builds the image, runs docker-compose.yml and shows what members see of it: a journey through the
 * proxy, then scaling and a restart of every service under load. Returns the problems found.
 */
export async function testContainers(log: Log): Promise<string[]> {
  log('building the image')
  await buildImage()
  const stack = await Stack.create()
  let members: Members | undefined
  try {
    await stack.up(2, 2)
    log('two gateways, two workers, Postgres, Redis and the proxy are healthy')
    const problems = await reportImage(stack, log)
    const authority = await stack.certificateAuthority()
    members = new Members(stack.project, authority)
    for (const step of await members.do('journey')) log(`  a member ${step}`)
    await runCommands(stack, log)
    problems.push(...(await runSteps(stack, members, log)))
    return problems
  } finally {
    members?.end()
    await stack.down()
  }
}
