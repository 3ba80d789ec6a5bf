import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '#db/postgres/admin'
import { productNow } from '#db/postgres/product-clock'
import type { Db } from '#db/postgres/transaction'
import { ALL_SHARDS } from '#db/testing/credit-shards'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { CREDIT_SLOTS, INTERVAL_MS } from '#rules/constants'
import { creditIntervals } from './ledger.ts'

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

it('the credit statement finds due sessions through the index on shard and slot', async () => {
  let statement: { sql: string; bindings: unknown[] } | undefined
  db.once('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
    statement = { sql, bindings }
  })
  await creditIntervals(db, { shard: 3, from: 600, to: 629 })
  const plan = await withClient(fresh.url, async (client) => {
    const { rows } = await client.query(`explain ${statement?.sql}`, statement?.bindings)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('mining_sessions_due')
  expect(plan).not.toContain('Seq Scan on mining_sessions')
})

it('credits are HOT updates of sessions and wallets', async () => {
  for (let from = 0; from < CREDIT_SLOTS; from += 30) {
    for (const shard of ALL_SHARDS) {
      await creditIntervals(db, { shard, from, to: from + 29 })
    }
  }
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw(
    `select relname, n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables
     where relname in ('mining_sessions', 'wallets')`,
  )
  expect(rows).toHaveLength(2)
  for (const { updated, hot } of rows) {
    expect(updated).toBeGreaterThan(MEMBERS * 0.9)
    // 0 if an indexed column changed; a concurrent vacuum may prevent some HOT updates.
    expect(hot / updated).toBeGreaterThan(0.5)
  }
})
