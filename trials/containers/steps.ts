import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TrialReport } from '#trials/kit/report'
import type { Running, StepFigures } from './members.ts'
import type { Role, Service, Stack } from './stack.ts'

function stepText(figures: StepFigures): string {
  const { answers, retried, waited, problems, credits } = figures
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  const causes = Object.entries(retried).map(([cause, count]) => `${count}× ${cause}`)
  return [
    `${answers} answers, the slowest after ${seconds(figures.slowestMs)} s`,
    `sent again ${causes.join(', ') || 'none'}, shown as waiting ${waited}, failed ${problems.length}`,
    `${figures.socketsLost} sockets lost for at most ${seconds(figures.longestAwayMs)} s`,
    `${credits} credits in all`,
  ].join('; ')
}

/** Members with a page open; further ones mine without a page. */
export const MEMBERS = 30
/** Lost sockets are noticed later than the restart. */
const SETTLE_MS = 3_000

export async function runSteps(report: TrialReport, { stack, members }: Running, steps: Step[]) {
  await members.call('start', MEMBERS)
  const failed: string[] = []
  for (const step of steps) {
    await report.step(step.name, () => step.run(stack))
    await sleep(SETTLE_MS)
    const figures = await members.call('step')
    report.fact(`${step.name}: members`, stepText(figures))
    failed.push(...figures.problems.map((problem) => `${step.name}: ${problem}`))
  }
  report.check('requests that failed for good', failed)
  report.check('violated rules', await members.call('stop'))
}

type Step = { name: string; run(stack: Stack): Promise<void> }

const STEADY_MS = 10_000
async function restartEach(stack: Stack, service: Service): Promise<void> {
  for (const id of await stack.containers(service)) await stack.restart(service, id)
}

/** Before and after them two gateways and two workers run. */
export const STEPS: Step[] = [
  { name: 'nothing', run: () => sleep(STEADY_MS) },
  { name: 'gateways 2 to 4', run: (stack) => stack.scale('gateway', 4) },
  { name: 'gateways 4 to 2', run: (stack) => stack.scale('gateway', 2) },
  { name: 'workers 2 to 4', run: (stack) => stack.scale('workers', 4) },
  { name: 'workers 4 to 2', run: (stack) => stack.scale('workers', 2) },
  { name: 'rolling restart of gateways', run: (stack) => restartEach(stack, 'gateway') },
  { name: 'rolling restart of workers', run: (stack) => restartEach(stack, 'workers') },
  { name: 'restart of the proxy', run: (stack) => restartEach(stack, 'proxy') },
  { name: 'restart of Redis', run: (stack) => restartEach(stack, 'redis') },
  { name: 'restart of Postgres', run: (stack) => restartEach(stack, 'postgres') },
]

const PHASE_MS = 5_000
const ROLES: Role[] = ['workers', 'gateway']

/** Adds as many containers of an image as there are, and leaves both for a while. */
async function addContainers(stack: Stack, image: string): Promise<void> {
  stack.useImage(image)
  for (const role of ROLES) {
    const old = await stack.containers(role)
    await stack.scale(role, old.length * 2)
    const images = await stack.images(role)
    assert.equal(images.filter((one) => one === image).length, old.length, `${role}: ${images}`)
  }
  await sleep(PHASE_MS)
}

async function removeAllOf(stack: Stack, image: string): Promise<void> {
  for (const role of ROLES) {
    const [ids, images] = [await stack.containers(role), await stack.images(role)]
    for (const [n, id] of ids.entries()) if (images[n] === image) await stack.remove(id)
    await stack.healthy(role)
  }
  await sleep(PHASE_MS)
}

async function migrate(stack: Stack, image: string): Promise<void> {
  stack.useImage(image)
  await stack.compose('run', '--rm', '-T', 'migrate')
  await sleep(PHASE_MS)
  for (const role of ROLES) await stack.healthy(role)
}

/** The upgrade of docs/containers.md and its rollback; `newer` has a further migration. */
export const upgradeSteps = (older: string, newer: string): Step[] => [
  { name: 'older release', run: () => sleep(PHASE_MS) },
  { name: 'migration, older release stays', run: (stack) => migrate(stack, newer) },
  { name: 'newer release starts beside it', run: (stack) => addContainers(stack, newer) },
  { name: 'older release ends', run: (stack) => removeAllOf(stack, older) },
  { name: 'rollback: older release beside it', run: (stack) => addContainers(stack, older) },
  { name: 'newer release ends', run: (stack) => removeAllOf(stack, newer) },
]
