import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildImage } from '#trials/containers/stack/image'
import { IMAGE } from '#trials/containers/stack/project'
import { runSteps } from '#trials/containers/steps/run-steps'
import { upgradeSteps } from '#trials/containers/steps/upgrade-steps'
import { addTrialMigration, checkOut } from '#trials/upgrade/checkout'
import { type Log, whileRunning } from './running.ts'

const NEWER = `${IMAGE}-newer`

/** Builds the image of the last commit with one more migration. */
async function buildNewer(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-newer-'))
  try {
    const checkout = path.join(folder, 'newer')
    checkOut('HEAD', checkout)
    addTrialMigration(checkout)
    await buildImage(NEWER, checkout)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** An upgrade across a migration and its rollback, as docs/containers.md describes them, under load. */
export async function upgrade(log: Log): Promise<string[]> {
  log('building the image of the newer release')
  await buildNewer()
  return whileRunning({}, ({ stack, members }) =>
    runSteps(stack, members, upgradeSteps(IMAGE, NEWER), log),
  )
}
