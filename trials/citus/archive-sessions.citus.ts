import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { archiveSessions, archiveStep } from '#db/mining/archive-sessions'
import { startMining } from '#db/mining/mining'
import { inTransaction } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'

const DETAIL_DAYS = 15

let fresh: FreshDatabase
let members: number[]
beforeAll(async () => {
  fresh = await freshDatabase()
  ;({ members } = await seedOldDays(fresh.db))
  for (const id of members) await inTransaction(fresh.db, (tx) => startMining(tx, id))
})
afterAll(() => fresh.close())

const problems = async () => (await audit(fresh.db)).problems

/** Sums of all sessions of each member, with or without a row. */
async function sums(): Promise<Record<string, string>[]> {
  const { rows } = await fresh.db.raw(`
    select "userId", sum(n) as sessions, sum("creditedIntervals") as intervals, sum(reward) as reward,
      sum("usdtReward") as "usdtReward", min(start) as start
    from (
      select bucket, "userId", 1 as n, "creditedIntervals", reward, "usdtReward", "startTime" as start
      from mining_sessions
      union all
      select bucket, "userId", sessions, "creditedIntervals", reward, "usdtReward", "firstStart"
      from folded_sessions
    ) s group by 1 order by 1`)
  return rows
}

it('a worker that dies after any statement of archiving on Citus leaves sums that the next one completes', async () => {
  const before = await sums()
  const member = members[1] ?? 0
  const cuts = await cutAfterStatements(fresh.url, {
    work: async (db) => {
      await db('session_fold_position').update({
        day: db.raw('(select product_now()::date)'),
        bucket: bucketOf(member),
        afterId: 0,
      })
      await archiveStep(db, DETAIL_DAYS)
    },
    check: async () => expect(await sums()).toEqual(before),
  })
  expect(cuts).toBeGreaterThan(5)
  expect((await fresh.db('folded_sessions').where({ userId: member }).first()).sessions).toBe(2)
  expect(await problems()).toEqual([])
})

it('a session on Citus whose credits differ from the ledger stops the pass, and its row stays', async () => {
  const differing = members[4] ?? 0
  const change = (sign: string) =>
    fresh.db.raw(
      `update wallet_activity set amount = amount ${sign} 0.00000001
       where bucket = ? and "userId" = ? and id like 'credit:%:5'`,
      [bucketOf(differing), differing],
    )
  await change('-')
  await fresh.db('session_fold_position').update({ day: '-infinity' })
  await expect(archiveSessions(fresh.db, DETAIL_DAYS)).rejects.toThrow('its row stays')
  expect(await fresh.db('mining_sessions').where({ userId: differing })).toHaveLength(2)
  await change('+')
})

it('old sessions on Citus become totals, and every sum stays', async () => {
  const before = await sums()
  await archiveSessions(fresh.db, DETAIL_DAYS)
  expect(await sums()).toEqual(before)
  // One of today each, and the one of the third member, whose USDT is not claimed.
  expect(await fresh.db('mining_sessions')).toHaveLength(members.length + 1)
  expect(await problems()).toEqual([])
})
