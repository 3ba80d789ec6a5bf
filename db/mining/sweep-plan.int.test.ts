import { afterAll, beforeAll, expect, it } from 'vitest'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { withClient } from '#db/postgres/connection/pool'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { INTERVAL_MS, SECOND_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { sweepBatch } from './sweep.ts'

const MEMBERS = 6_000
let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  // One connection, because its statistics are flushed together.
  db = fresh.pool(1)
  const now = await productNow(db)
  const members = await insertMembers(db, MEMBERS)
  const spread = (i: number) => (i * 7_919_000) % INTERVAL_MS
  await insertSessions(
    db,
    members.map((userId, i) => ({ userId, startedAt: startedBefore(now, 3, spread(i)) })),
  )
  await db.raw('vacuum analyze mining_sessions')
  await db.raw('vacuum analyze wallets')
})
afterAll(() => fresh.close())

/** The generic plan, for any values, of the last statement that `work` sends. */
async function genericPlan(work: () => Promise<unknown>): Promise<string> {
  let sent = ''
  const listen = ({ sql }: { sql: string }) => {
    sent = sql
  }
  db.on('query', listen)
  await work()
  db.removeListener('query', listen)
  return withClient(fresh.url, async (client) => {
    const { rows } = await client.query(`explain (generic_plan) ${sent}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

it('the sweep finds due sessions by slot and bucket, and their wallets by bucket and member', async () => {
  const plan = await genericPlan(() => sweepBatch(db, ALL_BUCKETS, undefined, 1))
  expect(plan).toContain('mining_sessions_due')
  expect(plan).toContain('Tid Scan on mining_sessions')
  expect(plan).toMatch(/Index Cond: .*creditSlot.*bucket >= .*bucket <= /)
  expect(plan).toContain('wallets_pkey')
  expect(plan).not.toMatch(/Seq Scan on (mining_sessions|wallets|mining_stats)/)
})

it('the credit lag reads only slots since the last sweeps', async () => {
  const plan = await genericPlan(() => creditLagSeconds(db))
  expect(plan).toContain('mining_sessions_due')
  expect(plan).not.toContain('Seq Scan on mining_sessions')
})

it('the credit lag stops at the first slot with a due interval, however late sweeps are', async () => {
  const oldest = `(select min("startTime") + interval '20 minutes' from mining_sessions)`
  await db('credit_sweeps').update({ sweptTo: db.raw(oldest) })
  let statements = 0
  const count = () => {
    statements++
  }
  db.on('query', count)
  expect(await creditLagSeconds(db)).toBeGreaterThan((2 * INTERVAL_MS) / SECOND_MS)
  db.removeListener('query', count)
  expect(statements).toBe(2)
})

it('credits are HOT updates of sessions and wallets', async () => {
  for (const range of SWEEP_RANGES) {
    let batch = await sweepBatch(db, range)
    while (!batch.isDone) batch = await sweepBatch(db, range, batch.rest)
  }
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw(
    `select relname, n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables
     where relname in ('mining_sessions', 'wallets')`,
  )
  expect(rows).toHaveLength(2)
  for (const { updated, hot } of rows) {
    expect(updated).toBeGreaterThan(MEMBERS * 0.9)
    // 0 if an indexed column changed. A vacuum or an old snapshot may keep pages full meanwhile.
    expect(hot / updated).toBeGreaterThan(0.2)
  }
})

it('a sweep is planned a few times per connection only', async () => {
  for (let i = 0; i < 12; i++) {
    await advance(db, SECOND_MS)
    await sweepBatch(db, ALL_BUCKETS)
  }
  const { rows } = await db.raw(
    `select generic_plans as generic from pg_prepared_statements where name = 'sweep-batch'`,
  )
  expect(rows[0].generic).toBeGreaterThan(5)
})
