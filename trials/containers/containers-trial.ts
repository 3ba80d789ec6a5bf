import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { Trial } from '#trials/kit/trial'
import { addTrialMigration, checkOut } from '#trials/upgrade/checkout'
import { whileRunning } from './members.ts'
import { checkProfiles } from './monitoring.ts'
import { docker, IMAGE } from './stack.ts'
import { runSteps, STEPS, upgradeSteps } from './steps.ts'

const NODE_IMAGE = process.env.NODE_IMAGE || 'node:20-bookworm-slim'
const MB = 1_000_000

async function buildImage(image = IMAGE, folder = ROOT): Promise<void> {
  await docker('build', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--tag', image, folder)
}

const sizeOf = async (image: string) =>
  Math.round(Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / MB)

const inImage = (script: string) =>
  docker('run', '--rm', '--network', 'none', '--entrypoint', 'bash', IMAGE, '-c', script)

async function checkImage({ report }: Trial): Promise<void> {
  const [total, base] = [await sizeOf(IMAGE), await sizeOf(NODE_IMAGE)]
  report.fact('size of the image', `${total} MB, ${total - base} MB above its base`)
  const sources = "find /app -name '*.ts' -o -name '*.tsx' -o -name tsx | head -5"
  report.expect('sources in the image', await inImage(sources), '')
  report.expect('what its user can write', await inImage('find /app -writable | head -5'), '')
  report.expect('its user', await inImage('id -u'), '10001')
}

/** A journey through the proxy, then scaling and a restart of every service under load. */
function checkRestarts({ report }: Trial): Promise<void> {
  return whileRunning([], async (running) => {
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
  await whileRunning([], (running) => runSteps(report, running, upgradeSteps(IMAGE, newer)))
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
