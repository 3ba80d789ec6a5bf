import path from 'node:path'
import type { Trial } from '#trials/kit/trial'
import { addTrialMigration, checkOut } from '#trials/upgrade/checkout'
import { buildImage, checkImage } from './image.ts'
import { whileRunning } from './members.ts'
import { checkProfiles } from './monitoring.ts'
import { IMAGE } from './stack.ts'
import { runSteps, STEPS, upgradeSteps } from './steps.ts'

/** A journey through the proxy, then scaling and a restart of every service under load. */
function checkRestarts({ report }: Trial): Promise<void> {
  return whileRunning({}, async (running) => {
    const { stack, members } = running
    await report.step(
      'journey',
      () => members.call('journey'),
      (steps) => steps.join(', '),
    )
    // The commands of operators, as docs/containers.md names them.
    const run = (...args: string[]) => stack.compose('run', '--rm', '-T', ...args)
    await report.step('docker compose run --rm audit', () => run('audit'), String)
    await report.step('docker compose run --rm ops status --json', async () =>
      JSON.parse((await run('ops', 'status', '--json')).replace(/^[^{]*/, '')),
    )
    await runSteps(report, running, STEPS)
  })
}

/** An upgrade across a migration and its rollback, as docs/containers.md describes them, under load. */
async function checkUpgrade({ report, folder }: Trial): Promise<void> {
  const newer = `${IMAGE}-newer`
  const checkout = path.join(folder, 'newer')
  checkOut('HEAD', checkout)
  addTrialMigration(checkout)
  await report.step('image of the newer release', () => buildImage(newer, checkout))
  await whileRunning({}, (running) => runSteps(report, running, upgradeSteps(IMAGE, newer)))
}

/** Parts in their order; each starts docker-compose.yml as a project of its own. */
const PARTS = {
  image: checkImage,
  restarts: checkRestarts,
  upgrade: checkUpgrade,
  profiles: checkProfiles,
}

/** `npm run trial containers`: builds the image and runs it with docker-compose.yml. */
export async function tryContainers(trial: Trial, { only }: { only: string }): Promise<void> {
  const parts = Object.entries(PARTS).filter(([name]) => only === '' || only === name)
  if (parts.length === 0) {
    throw new Error(`there is no part ${only}: use ${Object.keys(PARTS).join(', ')}`)
  }
  await trial.report.step('image', () => buildImage())
  for (const [, check] of parts) await check(trial)
}
