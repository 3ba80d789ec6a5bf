import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrations/migrate'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { ensureDatabase } from '#scripts/embedded/create-database'
import { insertMembers } from '#scripts/testing/db/members'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { brokenRules, SPEED } from '#trials/kit/checks'
import { runScript } from '#trials/kit/child'
import { startLoad } from '#trials/kit/load'
import { PostgresServer } from '#trials/kit/postgres'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { archiveSettings, megabytes, restoreBackup, takeBackup, untilArchived } from './backup.ts'
import { differences, noteState, readState } from './noted-state.ts'

const MEMBERS = 8
/** More members than sequences of Postgres may run ahead of a restored database. */
const LATER_MEMBERS = 64

/** Username of the account that the member's cookies open, or the status. */
async function opens(visitor: Visitor): Promise<string> {
  const { status, body } = await visitor.call('GET /api/user')
  return status === 200 ? body.username : String(status)
}

/** Restores a product to a noted second twice: with Redis as it was, and with Redis cleared. */
export async function tryRecovery(trial: Trial): Promise<void> {
  const { report, folder, defer } = trial
  const server = await PostgresServer.create(path.join(folder, 'postgres'))
  defer(() => server.crash())
  const archive = server.makeFolder('archive')
  const backup = server.makeFolder('backup')
  await report.step('Postgres starts with a WAL archive', () =>
    server.start(archiveSettings(archive)),
  )
  await ensureDatabase(server.adminUrl, 'tesp')
  await migrate(server.url)
  const place = await trialServers(trial, { databaseUrl: server.url })
  const stage = await Stage.start(place, { workers: 2, speed: SPEED })
  defer(() => stage.stop())
  const { db } = stage.product
  const load = await startLoad(stage.product, MEMBERS, 11)
  const [early] = load.visitors
  if (!early) throw new Error('there is no member')
  await sleep(4_000)

  await report.step(
    'pg_basebackup under load, pg_verifybackup',
    () => takeBackup(server, backup),
    () => `${megabytes(backup).toFixed(0)} MB`,
  )
  await sleep(6_000)
  const confirmed = [...load.tally.claims.keys()]
  const noted = await noteState(db)
  report.fact('the second T', noted.at)
  const unknown = confirmed.filter((key) => !noted.claims.has(key))
  report.check(`claims confirmed before T (${confirmed.length}) that the state at T lacks`, unknown)

  await insertMembers(db, LATER_MEMBERS)
  const later = new Visitor(stage.product)
  await later.register()
  await sleep(4_000)
  await report.step('WAL of everything after T is in the archive', () => untilArchived(db))
  report.fact('size of the archive', `${megabytes(archive).toFixed(0)} MB`)

  /** Drops from the tally what the restored database cannot know. */
  const restore = async (attempt: string) => {
    await server.crash()
    await Promise.all(stage.processes.map((one) => one.stop('SIGTERM')))
    await report.step(`${attempt}: data deleted, backup restored to T`, async () => {
      await restoreBackup(server, { backup, archive, at: noted.at })
      await server.start(['archive_mode=off'])
    })
    let lost = 0
    for (const key of load.tally.claims.keys()) {
      if (!noted.claims.has(key) && load.tally.claims.delete(key)) lost++
    }
    report.fact(`${attempt}: claims confirmed after T, lost`, lost)
    report.check(`${attempt}: differences from T`, differences(noted, await readState(db)))
    const lateMinutes = Math.round((await creditLagSeconds(db)) / 60)
    report.fact(`${attempt}: credits are late by`, `${lateMinutes} min of product time`)
  }
  const start = () => Promise.all(stage.processes.map((one) => one.start()))
  /** Registers members until one has the id of the member who registered after T. */
  const takeIdOf = async (gone: Visitor) => {
    const { rows } = await db.raw(`select nextval(pg_get_serial_sequence('users', 'id')) as id`)
    const left = (gone.user?.id ?? 0) - Number(rows[0].id) - 1
    if (left > 0) await insertMembers(db, left)
    const next = new Visitor(stage.product)
    await next.register()
    return next
  }

  const kept = 'Redis as it was'
  await restore(kept)
  await report.step(`${kept}: gateways and workers start`, start)
  report.expect(`${kept}: a member of before T is signed in`, await opens(early), name(early))
  const newcomer = await takeIdOf(later)
  report.expect(
    `${kept}: the sign-in of a member of after T opens a new member's account`,
    newcomer.user?.id === later.user?.id && (await opens(later)) === name(newcomer),
    true,
  )
  await sleep(3_000)
  report.check(`${kept}: violated rules when credits are on time`, await brokenRules(db))

  const cleared = 'Redis cleared'
  await restore(cleared)
  await report.step(`${cleared}: npm run ops -- redis clear`, () => {
    const args = ['redis', 'clear', '--yes', '--reason', 'restored to an earlier second']
    return runScript('ops', args, stage.env)
  })
  await report.step(`${cleared}: gateways and workers start`, start)
  report.expect(`${cleared}: the sign-in of a member of before T`, await opens(early), '401')
  await takeIdOf(later)
  report.expect(`${cleared}: the sign-in of a member of after T`, await opens(later), '401')
  for (const visitor of load.visitors) await visitor.login()
  report.expect(`${cleared}: a member of before T signs in again`, await opens(early), name(early))
  const before = load.tally.claims.size
  await sleep(6_000)
  const problems = await load.stop()
  report.fact(`${cleared}: claims confirmed afterwards`, load.tally.claims.size - before)
  report.check(`${cleared}: violated rules when credits are on time`, problems)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
  const audit = () => runScript('audit', [], { DATABASE_URL: server.url })
  await report.step('npm run audit', audit, String)
}

const name = ({ user }: Visitor) => user?.username ?? 'nobody'
