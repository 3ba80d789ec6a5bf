import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { productNow } from '#db/postgres/product-clock'
import { advance, freeze } from '#db/testing/clock'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { INTERVAL_MS } from '#rules/constants'
import { type WorkersProcess, workersProcess } from '#workers/testing/process'

const SESSIONS = 1_500
/** Longer than a job's lock lives (15 s) and stalled jobs are looked for (5 s): all of it is over. */
const FROZEN_MS = Number(process.env.FROZEN_S ?? 21) * 1_000
let fresh: FreshDatabase
const running: WorkersProcess[] = []
let dueIntervals = 2

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
  const now = await productNow(fresh.db)
  const members = await insertMembers(fresh.db, SESSIONS)
  await insertSessions(
    fresh.db,
    members.map((userId, i) => ({
      userId,
      startedAt: startedBefore(now, dueIntervals, (i % 30) * 1_000),
      usdtRate: '0.002',
    })),
  )
})
afterAll(async () => {
  for (const workers of running) {
    workers.kill('SIGKILL')
    await workers.ended
  }
  await fresh.close()
})

async function start(): Promise<WorkersProcess> {
  const workers = workersProcess(fresh)
  running.push(workers)
  await workers.ready
  return workers
}

/** Three more intervals of every session fall due. */
async function moreIsDue() {
  dueIntervals += 3
  await advance(fresh.db, 3 * INTERVAL_MS)
}

/** Resolves while a statement of a worker is crediting. */
async function inBatch() {
  const busy = async () => {
    const { rows } = await fresh.db.raw(
      `select count(*) as busy from pg_stat_activity where datname = current_database()
       and application_name = 'tesp-workers' and state = 'active' and query like '%with due as%'`,
    )
    return rows[0].busy
  }
  await expect.poll(busy, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0)
}

const uncredited = async () => {
  const { rows } = await fresh.db.raw(
    'select count(*) as left from mining_sessions where "creditedIntervals" < ?',
    [dueIntervals],
  )
  return rows[0].left
}

/** Every due interval was credited exactly once, and every rule of the economy holds. */
async function expectCreditedOnce() {
  await expect.poll(uncredited, { timeout: 60_000, interval: 250 }).toBe(0)
  const { rows } = await fresh.db.raw(
    `select count(*) as rows, count(distinct id) as facts from wallet_activity`,
  )
  expect(rows[0]).toEqual({ rows: SESSIONS * dueIntervals, facts: SESSIONS * dueIntervals })
  expect((await audit(fresh.db)).problems).toEqual([])
}

it('credits each due interval once though workers are killed eight times in a batch', async () => {
  for (let round = 0; round < 4; round++) {
    const pair = await Promise.all([start(), start()])
    await moreIsDue()
    await inBatch()
    for (const workers of pair) workers.kill('SIGKILL')
    expect(await Promise.all(pair.map(({ ended }) => ended))).toEqual(['SIGKILL', 'SIGKILL'])
  }
  expect(await uncredited()).toBeGreaterThan(0)
  await start()
  await expectCreditedOnce()
}, 120_000)

it('credits once when a process freezes in a batch, another takes over, and it thaws', async () => {
  const [frozen] = running.slice(-1)
  await moreIsDue()
  await inBatch()
  frozen?.kill('SIGSTOP')
  const thaw = sleep(FROZEN_MS)
  await start()
  await expect.poll(uncredited, { timeout: 60_000, interval: 250 }).toBe(0)
  await thaw
  frozen?.kill('SIGCONT')
  await moreIsDue()
  await expectCreditedOnce()
}, 180_000)

it('drains on SIGTERM: a process ends by itself, and the next one does the rest', async () => {
  const [first, second] = running.slice(-2)
  await moreIsDue()
  await inBatch()
  first?.kill('SIGTERM')
  expect(await first?.ended).toBe(0)
  await expectCreditedOnce()
  second?.kill('SIGTERM')
  expect(await second?.ended).toBe(0)
}, 120_000)
