import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkAudit, SPEED } from '#trials/kit/checks'
import { runScript } from '#trials/kit/child'
import { startLoad } from '#trials/kit/load'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import {
  addTrialMigration,
  buildRolesOf,
  checkOut,
  commitBeforeNewestMigration,
} from './checkout.ts'

const MEMBERS = 6
const PHASE_MS = 4_000

type UpgradeOptions = {
  /** The older release; '': the commit before the newest migration, if that admits it. */
  from: string
  /** The last commit is the older release, and the same with one more migration is the newer one. */
  next: boolean
}

async function releases({ report, folder }: Trial, from: string | undefined) {
  const [older, newer] = [path.join(folder, 'older'), path.join(folder, 'newer')]
  const names = from ? `${from} and this commit` : 'this commit, and with one more migration'
  await report.step(`releases: ${names}`, async () => {
    await Promise.all([checkOut(from ?? 'HEAD', older), checkOut('HEAD', newer)])
    if (from === undefined) addTrialMigration(newer)
    await Promise.all([buildRolesOf(older), buildRolesOf(newer)])
  })
  return { older, newer }
}

const readiness = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => String(status),
    () => 'no answer',
  )

/** docs/operations/upgrade.md. After the rollback the older release runs on the new schema, at last alone. */
export async function tryUpgrade(trial: Trial, options: UpgradeOptions): Promise<void> {
  const { report, defer } = trial
  const from = options.from || (options.next ? undefined : commitBeforeNewestMigration())
  const { older, newer } = await releases(trial, from)
  const servers = await trialServers(trial)
  // Nothing is pushed here, and older releases want two keys for it.
  const place = { ...servers, secrets: { ...servers.secrets, VAPID_PRIVATE_KEY: '' } }
  const start = async (root: string, gateways: number) => {
    const stage = await Stage.start(place, { root, gateways, speed: SPEED })
    defer(() => stage.stop())
    return stage
  }
  const migrate = (root: string) =>
    runScript('migrate', [], { ...place.secrets, DATABASE_URL: place.url }, root)
  await migrate(older)
  const before = await report.step('the older release starts', () => start(older, 2))
  const { product } = before
  const [first = '', second = ''] = product.urls
  const load = await startLoad(product, MEMBERS, 31)
  const phase = async (name: string) => {
    await sleep(PHASE_MS)
    const problems = new Set(load.tally.problems)
    await checkAudit(product.db, problems)
    report.check(`${name}: failed requests, violated rules`, [...problems])
  }
  /** From now on members are served by these gateways. */
  const serve = (...urls: string[]) => product.urls.splice(0, product.urls.length, ...urls)
  await phase('the older release alone')

  await report.step('npm run migrate of the newer release', () => migrate(newer))
  const ready = await readiness(first)
  // An older release than the rule of the schema's floor reports that it is not ready.
  if (from) report.fact('/readyz of the older release', ready)
  else report.expect('/readyz of the older release', ready, '200')
  await phase('the older release on the new schema')

  const after = await report.step('the newer release starts beside it', () => start(newer, 2))
  const newUrls = [...after.product.urls]
  serve(first, second, ...newUrls)
  await phase('both releases')

  serve(...newUrls)
  await Promise.all(before.processes.map((one) => one.stop('SIGTERM')))
  await phase('the newer release alone')

  const isBack = await Promise.all(before.processes.map((one) => one.start())).then(
    () => true,
    () => false,
  )
  if (from) report.fact('rollback: the older release starts', isBack ? 'yes' : 'refused')
  else report.expect('rollback: the older release starts', isBack, true)
  if (isBack) {
    serve(first, second)
    await Promise.all(after.processes.map((one) => one.stop('SIGTERM')))
    await phase('rollback: the older release alone')
  }
  report.fact('answers to members during the trial', load.tally.answers)
  report.fact('requests repeated', load.tally.lost + load.tally.unavailable)
  report.check('violated rules at the end', await load.stop())
  report.check('processes that ended by themselves', [
    ...(isBack ? await before.unexpectedExits() : []),
    ...(await after.unexpectedExits()),
  ])
}
