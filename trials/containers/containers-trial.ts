import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { Trial } from '#trials/kit/trial'
import { addTrialMigration, checkOut } from '#trials/upgrade/checkout'
import { whileRunning } from './members.ts'
import { checkProfiles } from './monitoring.ts'
import { docker, IMAGE, type Role, type Stack } from './stack.ts'
import { runSteps, STEPS, upgradeSteps } from './steps.ts'

const NODE_IMAGE = process.env.NODE_IMAGE || 'node:20-bookworm-slim'
const MB = 1_000_000

async function buildImage(image = IMAGE, folder = ROOT): Promise<void> {
  await docker('build', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--tag', image, folder)
}

async function sizeOf(image: string): Promise<number> {
  return Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / MB
}

export async function imageSize(): Promise<{ total: number; aboveBase: number }> {
  const [total, base] = await Promise.all([sizeOf(IMAGE), sizeOf(NODE_IMAGE)])
  return { total: Math.round(total), aboveBase: Math.round(total - base) }
}

const inImage = (script: string) =>
  docker('run', '--rm', '--network', 'none', '--entrypoint', 'bash', IMAGE, '-c', script)

export async function imageProblems(): Promise<string[]> {
  const problems: string[] = []
  const sources = await inImage("find /app -name '*.ts' -o -name '*.tsx' -o -name tsx | head -5")
  if (sources) problems.push(`the image holds sources: ${sources.replaceAll('\n', ', ')}`)
  const writable = await inImage('find /app -writable | head -5')
  if (writable) problems.push(`its user can write ${writable.replaceAll('\n', ', ')}`)
  const user = await inImage('id -u')
  if (user === '0') problems.push('the image runs as root')
  return problems
}

const ROUNDS = 5

/** Milliseconds from the start of the container to the log line that says that the role is ready. */
async function startedAfter(id: string): Promise<number> {
  const startedAt = await docker('inspect', '--format', '{{.State.StartedAt}}', id)
  const lines = (await docker('logs', '--since', startedAt, id)).split('\n')
  const ready = lines.find((line) => /"msg":"[a-z]+ (is|are) ready"/.test(line))
  if (!ready) throw new Error(`the container ${id} logged no readiness:\n${lines.join('\n')}`)
  return Number(JSON.parse(ready).time) - Date.parse(startedAt)
}

/** Milliseconds in ascending order. */
export async function coldStarts(stack: Stack, role: Role): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [id = ''] = await stack.containers(role)
    await stack.restart(role, id)
    times.push(await startedAfter(id))
  }
  return times.sort((a, b) => a - b)
}

export async function memory(stack: Stack, role: Role): Promise<string[]> {
  const ids = await stack.containers(role)
  const usage = await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', ...ids)
  return usage.split('\n').map((line) => line.split(' / ')[0] ?? '')
}

const ROLES = ['gateway', 'workers'] as const

function checkImage({ report }: Trial): Promise<void> {
  return whileRunning({}, async ({ stack }) => {
    const { total, aboveBase } = await imageSize()
    report.fact('size of the image', `${total} MB, ${aboveBase} MB above its base`)
    for (const role of ROLES) {
      const times = (await coldStarts(stack, role)).join(', ')
      report.fact(`${role}: ready after, ms`, times)
      report.fact(`${role}: memory`, (await memory(stack, role)).join(', '))
    }
    report.check('sources, rights and root in the image', await imageProblems())
  })
}

/** A journey through the proxy, then scaling and a restart of every service under load. */
function checkRestarts({ report }: Trial): Promise<void> {
  return whileRunning({}, async (running) => {
    const { stack, members } = running
    await report.step('journey', () => members.call('journey'), String)
    // The commands of operators, as docs/containers.md names them.
    const run = (...args: string[]) => stack.compose('run', '--rm', '-T', ...args)
    await report.step('docker compose run --rm audit', () => run('audit'), String)
    await report.step('docker compose run --rm ops status --json', async () =>
      JSON.parse((await run('ops', 'status', '--json')).replace(/^[^{]*/, '')),
    )
    await runSteps(report, running, STEPS)
  })
}

/** An upgrade across a migration and its rollback under load, as docs/containers.md describes them. */
async function checkUpgrade({ report, folder }: Trial): Promise<void> {
  const newer = `${IMAGE}-newer`
  const checkout = path.join(folder, 'newer')
  await checkOut('HEAD', checkout)
  addTrialMigration(checkout)
  await report.step('image of the newer release', () => buildImage(newer, checkout))
  await whileRunning({}, (running) => runSteps(report, running, upgradeSteps(IMAGE, newer)))
}

const PARTS = {
  image: checkImage,
  restarts: checkRestarts,
  upgrade: checkUpgrade,
  profiles: checkProfiles,
}

export async function tryContainers(trial: Trial, { only }: { only: string }): Promise<void> {
  const parts = Object.entries(PARTS).filter(([name]) => only === '' || only === name)
  if (parts.length === 0) {
    throw new Error(`there is no part ${only}: use ${Object.keys(PARTS).join(', ')}`)
  }
  await trial.report.step('image', () => buildImage())
  for (const [, check] of parts) await check(trial)
}
