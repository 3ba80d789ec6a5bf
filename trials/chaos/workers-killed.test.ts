import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { INTERVAL_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { Stage } from '#trials/kit/stage'

const SESSIONS = 1_500
const JOB_LOCK_MS = 3_000
/** Twice the lock of a job: it has expired and the stalled check has returned the job to its queue. */
const FROZEN_MS = Number(process.env.FROZEN_S ?? 6) * 1_000
let place: TestDatabase
let stage: Stage
let db: Db
let dueIntervals = 2

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, {
    gateways: 0,
    workers: 0,
    env: { JOB_LOCK_MS: String(JOB_LOCK_MS) },
  })
  db = stage.product.db
  await freeze(db)
  const now = await productNow(db)
  const members = await insertMembers(db, SESSIONS)
  await insertSessions(
    db,
    members.map((userId, i) => ({
      userId,
      startedAt: startedBefore(now, dueIntervals, (i % 30) * 1_000),
      usdtRate: '0.002',
    })),
  )
})
afterAll(async () => {
  await stage?.stop()
  await place?.drop()
})

/** Makes three more intervals of every session due. */
async function makeIntervalsDue() {
  dueIntervals += 3
  await advance(db, 3 * INTERVAL_MS)
}

/** Resolves while a workers process executes the credit statement, or when nothing is left to credit. */
async function creditRunning() {
  const runningOrOver = async () => {
    const { rows } = await db.raw(
      `select exists (select from pg_stat_activity where datname = current_database()
         and application_name = 'tesp-workers' and state = 'active' and query like '%swept as%')
       or not exists (select from mining_sessions where "creditedIntervals" < ?) as "isSo"`,
      [dueIntervals],
    )
    return rows[0].isSo
  }
  await expect.poll(runningOrOver, { interval: 1 }).toBe(true)
}

const uncredited = async () => {
  const { rows } = await db.raw(
    'select count(*) as left from mining_sessions where "creditedIntervals" < ?',
    [dueIntervals],
  )
  return rows[0].left
}

/** Every due interval was credited exactly once, and every rule of the economy holds. */
async function expectCreditedOnce() {
  await expect.poll(uncredited, { timeout: 60_000, interval: 100 }).toBe(0)
  const { rows } = await db.raw(
    `select count(*) as rows, count(distinct id) as facts from wallet_activity`,
  )
  expect(rows[0]).toEqual({ rows: SESSIONS * dueIntervals, facts: SESSIONS * dueIntervals })
  expect((await audit(db)).problems).toEqual([])
  expect(await stage.unexpectedExits()).toEqual([])
}

it('due intervals are credited once although workers are killed eight times in a batch', async () => {
  const left: number[] = []
  for (let round = 0; round < 4; round++) {
    const pair = await Promise.all([stage.startWorkers(), stage.startWorkers()])
    await makeIntervalsDue()
    await creditRunning()
    const exits = await Promise.all(pair.map((workers) => workers.stop('SIGKILL')))
    expect(exits).toEqual(['SIGKILL', 'SIGKILL'])
    left.push(await uncredited())
  }
  // On a busy machine a batch may end before the kill.
  expect(Math.max(...left)).toBeGreaterThan(0)
  await stage.startWorkers()
  await expectCreditedOnce()
})

it('intervals are credited once when workers freeze in a batch, others take over and they thaw', async () => {
  const [frozen] = stage.workers.slice(-1)
  await makeIntervalsDue()
  await creditRunning()
  frozen?.signal('SIGSTOP')
  const thaw = sleep(FROZEN_MS)
  await stage.startWorkers()
  await expect.poll(uncredited, { timeout: 60_000, interval: 100 }).toBe(0)
  await thaw
  frozen?.signal('SIGCONT')
  await makeIntervalsDue()
  await expectCreditedOnce()
})

it('workers finish their batch on SIGTERM and exit with 0, and the next ones do the rest', async () => {
  const [first, second] = stage.workers.slice(-2)
  await makeIntervalsDue()
  await creditRunning()
  expect(await first?.stop('SIGTERM')).toBe(0)
  await expectCreditedOnce()
  expect(await second?.stop('SIGTERM')).toBe(0)
})
