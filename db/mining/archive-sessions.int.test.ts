import { expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { auditSeals, CHAIN_RULE, SEAL_RULE } from '#db/ledger/seals/audit-seals'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { inTransaction } from '#db/postgres/statements/transaction'
import { readActivity } from '#db/wallet/activity'
import { creditsOfRow } from '#db/wallet/row-details'
import { bucketOf } from '#rules/buckets'
import { DAY_MS, MINUTE_MS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import { advance } from '#scripts/testing/db/clock'
import { creditRanges, recordSwept, seedOldDays } from '#scripts/testing/db/history'
import { readSnapshot } from '#scripts/testing/db/read-snapshot'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { archiveSessions, archiveStep } from './archive-sessions.ts'
import { claimRewards, startMining, stopMining } from './mining.ts'

const DETAIL_DAYS = 15

/** The history of `seedOldDays`, 20 days old, and a session of today for each member. */
const fresh = useSeeded(async (db) => {
  const { members } = await seedOldDays(db)
  for (const id of members) await inTransaction(db, (tx) => startMining(tx, id))
  await advance(db, 130 * MINUTE_MS)
  await creditRanges(db)
  await recordSwept(db)
  // The second one has two old sessions: one stopped and claimed, one of 24 hours.
  return { members, member: members[1] ?? 0 }
})

const archive = (detailDays = DETAIL_DAYS) => archiveSessions(fresh.db, detailDays)
const problems = async () => (await audit(fresh.db)).problems
const sessions = () => fresh.db('mining_sessions').orderBy('id')
const totalsOf = (userId: number) => fresh.db('folded_sessions').where({ userId }).first()
const ledger = () => fresh.db('wallet_activity').orderBy('seq')
const toBucketOf = (userId: number) =>
  fresh.db('session_fold_position').update({
    day: fresh.db.raw('(select product_now()::date)'),
    bucket: bucketOf(userId),
    afterId: 0,
  })

/** Sums of all sessions of each member, with or without a row. */
async function sums(): Promise<Record<string, string>[]> {
  const { rows } = await fresh.db.raw(`
    select "userId", sum(n) as sessions, sum("creditedIntervals") as intervals, sum(reward) as reward,
      sum("usdtReward") as "usdtReward", min(start) as start
    from (
      select "userId", 1 as n, "creditedIntervals", reward, "usdtReward", "startTime" as start
      from mining_sessions
      union all
      select "userId", sessions, "creditedIntervals", reward, "usdtReward", "firstStart"
      from folded_sessions
    ) s group by 1 order by 1`)
  return rows
}

it('old sessions become totals, and every sum, balance, status, row and seal stays', async () => {
  const { db } = fresh
  await rollUpLedger(db, 7)
  await sealLedger(db)
  await archive(30)
  expect(await db('folded_sessions')).toEqual([])
  const { items } = await readActivity(db, fresh.member, 100)
  const rolled = items.find(({ id }) => creditCount(id) > 1)?.id ?? ''
  expect(await creditsOfRow(db, fresh.member, rolled)).not.toEqual([])
  const before = { sums: await sums(), rows: await ledger() }
  const { asOf: _, ...status } = (await readSnapshot(db, fresh.member)).mining
  await advance(db, DAY_MS)
  await archive()
  expect(await sums()).toEqual(before.sums)
  expect(await ledger()).toEqual(before.rows)
  expect((await totalsOf(fresh.member)).sessions).toBe(2)
  // One of today each, and the one of the third member, whose USDT is not claimed.
  expect(await sessions()).toHaveLength(fresh.members.length + 1)
  expect(await totalsOf(fresh.members[2] ?? 0)).toBeUndefined()
  await advance(db, -DAY_MS)
  expect((await readSnapshot(db, fresh.member)).mining).toMatchObject(status)
  expect((await readActivity(db, fresh.member, 100)).items).toEqual(items)
  expect(await creditsOfRow(db, fresh.member, rolled)).toEqual([])
  expect(await problems()).toEqual([])
  expect(await auditSeals(db)).toEqual({ [CHAIN_RULE]: [], [SEAL_RULE]: [] })
})

it('a further pass adds to the totals; a member keeps the newest session however old', async () => {
  const { db } = fresh
  await archive()
  for (const id of fresh.members) await inTransaction(db, (tx) => stopMining(tx, id))
  for (const id of [fresh.member, fresh.members[2] ?? 0])
    await inTransaction(db, (tx) => claimRewards(tx, id))
  await inTransaction(db, (tx) => startMining(tx, fresh.member))
  await inTransaction(db, (tx) => stopMining(tx, fresh.member))
  await advance(db, 40 * DAY_MS)
  const before = await sums()
  await archive()
  expect(await sums()).toEqual(before)
  expect((await totalsOf(fresh.member)).sessions).toBe(3)
  expect((await totalsOf(fresh.members[2] ?? 0)).sessions).toBe(1)
  expect(await db('mining_rates')).toEqual([])
  expect(await sessions()).toHaveLength(fresh.members.length)
  expect(await problems()).toEqual([])
})

it('a session whose credits differ from the ledger stops the pass, and its row stays', async () => {
  const differing = fresh.members[4] ?? 0
  await fresh.db.raw(
    `update wallet_activity set amount = amount - 0.00000001 where seq = (
       select min(seq) from wallet_activity where "userId" = ? and id like 'credit:%')`,
    [differing],
  )
  await expect(archive()).rejects.toThrow('its row stays')
  expect(await fresh.db('mining_sessions').where({ userId: differing })).toHaveLength(2)
})

it('the audit reports totals that are wrong and credits of a session that was never archived', async () => {
  await archive()
  const change = (totals: Record<string, string>) =>
    fresh
      .db('folded_sessions')
      .where({ userId: fresh.member })
      .update(
        Object.fromEntries(Object.entries(totals).map(([key, sql]) => [key, fresh.db.raw(sql)])),
      )
  const broken = async () => (await problems()).map(({ rule }) => rule)
  await change({ creditedIntervals: '"creditedIntervals" - 1' })
  expect(await broken()).toEqual(['archived sessions count exactly the credits of the ledger'])
  await change({ creditedIntervals: '"creditedIntervals" + 1', reward: 'reward + 0.00000001' })
  expect(await broken()).toEqual(['what sessions earned is in wallets or pending'])
  await change({ reward: 'reward - 0.00000001', lastId: '0' })
  expect(await broken()).toEqual(['a credit row belongs to a session of its member'])
})

it('a worker that dies after any statement leaves sums that the next one completes', async () => {
  const before = await sums()
  const cuts = await cutAfterStatements(fresh.url, {
    work: async (db) => {
      await toBucketOf(fresh.member)
      await archiveStep(db, DETAIL_DAYS)
    },
    check: async () => {
      expect(await sums()).toEqual(before)
      expect(await problems()).toEqual([])
    },
  })
  expect(cuts).toBeGreaterThan(5)
  expect((await totalsOf(fresh.member)).sessions).toBe(2)
})

it('several workers that archive at once count each session once', async () => {
  const before = await sums()
  await Promise.all([1, 2, 3].map(() => archiveSessions(fresh.pool(1), DETAIL_DAYS)))
  await archive()
  expect(await sums()).toEqual(before)
  expect(await sessions()).toHaveLength(fresh.members.length + 1)
})
