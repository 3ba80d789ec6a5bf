import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrations/migrate'
import { DATA_DIR } from '#runtime/process/root'
import { buildClient } from '#scripts/build/build-client'
import { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'
import { mailServer } from '#scripts/testing/workers/mail-server'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { startFirefox } from './firefox.ts'
import { JOURNEYS, type Scene, SPEED } from './journeys.ts'
import { type Driver, Page } from './page.ts'
import { startWebKit } from './webkit.ts'

const BROWSERS = { firefox: startFirefox, webkit: startWebKit }

/** Pictures of each journey: `<browser>/<journey>.png`. */
const PICTURES = path.join(DATA_DIR, 'browsers')

type Place = Pick<Scene, 'mails' | 'db'> & { ports: number[] }

async function startProduct(trial: Trial): Promise<Place> {
  const { report, defer } = trial
  await report.step('client is built', buildClient)
  const mails = await mailServer()
  await mails.start()
  defer(() => mails.stop())
  const place = await report.step('database and queue start', () => trialServers(trial))
  const stage = await report.step('gateway and workers start', async () => {
    await migrate(place.url)
    return Stage.start(place, { gateways: 1, speed: SPEED, env: { SMTP_URL: mails.url } })
  })
  defer(() => stage.stop())
  return { mails, db: stage.product.db, ports: stage.ports }
}

/** A journey that fails ends those of its browser. */
async function runJourneys(trial: Trial, name: string, driver: Driver, place: Place) {
  const { ports, mails, db } = place
  const folder = path.join(PICTURES, name)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const network = await ChaosProxy.start(ports)
  trial.defer(() => network.close())
  const page = new Page(driver)
  // Passkeys need a domain.
  const url = `http://localhost:${network.port}`
  for (const [journey, run] of Object.entries(JOURNEYS)) {
    const keep = async (file: string) => {
      // Toasts and dialogs have come to rest.
      await sleep(1_000)
      fs.writeFileSync(path.join(folder, `${file}.png`), await driver.picture())
    }
    const scene = { mails, db, page, name, network, url }
    await trial.report.step(`${name}: ${journey}`, async () => {
      await run({ ...scene, keep: (moment) => keep(`${journey}-${moment}`) }).finally(() =>
        keep(journey),
      )
    })
  }
}

export async function tryBrowsers(trial: Trial, { only }: { only: string }): Promise<void> {
  const names = Object.entries(BROWSERS).filter(([name]) => only === '' || only === name)
  if (names.length === 0) throw new Error(`there is no browser ${only}`)
  const place = await startProduct(trial)
  for (const [name, start] of names) {
    const driver = await trial.report.step(`${name} starts`, () => start(trial))
    // The step is in the report already, and the other browser is tried too.
    await runJourneys(trial, name, driver, place).catch((error) => console.error(error))
  }
  trial.report.fact('pictures', PICTURES)
}
