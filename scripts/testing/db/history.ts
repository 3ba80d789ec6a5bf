import { expect } from 'vitest'
import type { SessionRef } from '#db/ledger/bucket-range-sql'
import type { Credit } from '#db/ledger/credit-sql'
import { type CreditScope, creditAllDue, creditIntervals } from '#db/ledger/ledger'
import { ensurePartitions } from '#db/ledger/partitions'
import { LISTS } from '#db/members/export'
import { endSessions } from '#db/mining/end-sessions'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { rerateSession } from '#db/mining/sessions'
import { rangesToSweep } from '#db/mining/sweep'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode } from '#db/team/referrals'
import { creditsOfRow } from '#db/wallet/row-details'
import { type BucketRange, memberKey } from '#rules/buckets'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'
import { advance, freeze } from './clock.ts'
import { insertMember, insertMembers, isInRange } from './members.ts'
import { insertSessions, startedBefore } from './sessions.ts'

/** Scope of all running sessions of a range of buckets. */
export async function wholeRange(db: Db, range: BucketRange): Promise<CreditScope> {
  const found: SessionRef[] = await db('mining_sessions')
    .whereBetween('bucket', [range.first, range.last])
    .where({ active: true })
    .select({ sessionId: 'id', userId: 'userId' })
  return { sessions: found.filter(({ userId }) => isInRange(range, userId)), range }
}

/**
 * Credits every interval that is due in the ranges with the statement of the workers.
 * @param now product time in ms; the database's own when absent
 */
export async function creditRanges(
  db: Db,
  now?: number,
  ranges?: BucketRange[],
): Promise<Credit[]> {
  const credits: Credit[] = []
  for (const range of ranges ?? (await rangesToSweep(db))) {
    credits.push(...(await creditAllDue(db, await wholeRange(db, range), now)))
  }
  return credits
}

/**
 * Credits one interval that ended at `endedAt` (product time, ms) now, to a new member whose session
 * gets no further credit.
 * @returns the member
 */
export async function lateCredit(db: Db, endedAt: number): Promise<number> {
  const memberId = await insertMember(db)
  const startedAt = startedBefore(endedAt, 1)
  const [sessionId = 0] = await insertSessions(db, [{ userId: memberId, startedAt }])
  expect(await creditIntervals(db, { sessionId, memberId })).toHaveLength(1)
  const quarantine = { quarantinedAt: new Date(), quarantineReason: 'one credit only' }
  await db('mining_sessions').where({ id: sessionId }).update(quarantine)
  return memberId
}

type ExportedRow = Omit<Activity, 'timestamp'> & { at: Date }

/** The rows that a row of an export stands for, newest first, with their balances. */
async function detailOf(db: Db, memberId: number, row: ExportedRow): Promise<ExportedRow[]> {
  if (creditCount(row.id) < 2) return [row]
  const credits = await creditsOfRow(db, memberId, row.id)
  return credits.map(({ timestamp, ...credit }) => ({ ...credit, at: new Date(timestamp) }))
}

/**
 * The ledger of some members as their exports hold it, with each rolled-up row in the place of its
 * recomputed credits: equal before and after a roll-up.
 */
export async function ledgerDetail(db: Db, memberIds: number[]): Promise<ExportedRow[]> {
  const detail: ExportedRow[] = []
  for (const memberId of memberIds) {
    const { rows } = await db.raw(LISTS.activity, memberKey(memberId))
    const parts = await Promise.all(rows.map((row: ExportedRow) => detailOf(db, memberId, row)))
    const expanded = parts.flat()
    detail.push(
      ...expanded.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1)),
    )
  }
  return detail
}

/**
 * Fills a database with the history of a team: referrals, a milestone, sessions, claims and tasks.
 * @returns ids of the members, the team's leader first
 */
export async function seedHistory(db: Db): Promise<number[]> {
  await freeze(db)
  const [leader = 0, ...team] = await insertMembers(db, 13)
  const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  await db('users').where({ id: leader }).update({ referralCode: 'TESPLEADER' })
  await run((tx) => startMining(tx, leader))
  for (const member of team.slice(0, 11)) {
    await run((tx) => applyReferralCode(tx, member, 'TESPLEADER'))
    await advance(db, 3 * MINUTE_MS)
  }
  await run((tx) => checkMilestones(tx, leader))
  for (const member of team.slice(0, 5)) await run((tx) => startMining(tx, member))
  await advance(db, 90 * MINUTE_MS)
  await creditRanges(db)
  await advance(db, 5 * MINUTE_MS)
  for (const member of [leader, ...team.slice(0, 2)]) {
    await run((tx) => stopMining(tx, member))
    await run((tx) => claimRewards(tx, member))
    await run((tx) => completeTask(tx, member, 'join_telegram'))
  }
  await run((tx) => startMining(tx, leader))
  await advance(db, 7 * MINUTE_MS)
  await run((tx) => stopMining(tx, leader))
  return [leader, ...team]
}

const MEMBERS = 12
/** Product time that passes after the history by default. */
const AGE_MS = 20 * DAY_MS

/** Records that every interval that ended by now is credited, as a sweep does. */
export async function recordSwept(db: Db): Promise<void> {
  await db('credit_sweeps').update({ sweptTo: db.raw('product_now()') })
}

/**
 * Fills a database with sessions of three days that ended 20 days or `ageMs` ago. Most run over midnight for 24
 * hours. The first three members do more: a task between two credits; a stop, a claim and another
 * session; two changes of the rate.
 * @returns the members and noon of the middle day, ms
 */
export async function seedOldDays(
  db: Db,
  ageMs = AGE_MS,
): Promise<{ members: number[]; noon: number }> {
  await freeze(db)
  const now = await productNow(db)
  const noon = Math.floor(now / DAY_MS) * DAY_MS + 1.5 * DAY_MS
  await advance(db, noon - now)
  const members = await insertMembers(db, MEMBERS)
  const [first = 0, second = 0, third = 0] = members
  const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  await insertSessions(
    db,
    members.map((userId, i) => ({ userId, startedAt: startedBefore(noon, 45 + i, i * 61_003) })),
  )
  await creditRanges(db, noon - 6 * HOUR_MS)
  await run((tx) => completeTask(tx, first, 'join_telegram'))
  for (const [miningBoost, hour] of [
    ['0.35', 5.3],
    ['0.4', 2.1],
  ] as const) {
    const member = { id: third, miningBoost, teamLevel: 1 }
    await run((tx) => rerateSession(tx, member, noon - hour * HOUR_MS))
  }
  await creditRanges(db)
  await run((tx) => stopMining(tx, second))
  await run((tx) => claimRewards(tx, second))
  await run((tx) => startMining(tx, second))
  await advance(db, ageMs)
  await creditRanges(db)
  await endSessions(db)
  await ensurePartitions(db)
  await recordSwept(db)
  return { members, noon }
}
