import { engineOf, type Locked } from '#db/engine/engine'
import { creditAllDue } from '#db/ledger/ledger'
import { countMining } from '#db/ledger/network-counters'
import { logPollChange } from '#db/ledger/poll-log'
import { lockStatement } from '#db/postgres/connection/product-clock'
import type { Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { INTERVALS } from '#rules/constants'
import { usdtRateOf } from '#rules/money/milestones'
import {
  type Accrual,
  changeRate,
  creditSlot,
  hashRateOf,
  intervalsEnded,
  sessionTime,
} from '#rules/money/mining'
import type { SessionFacts } from '#rules/money/mining-status'
import { type Money, minus, times } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { endSession } from './end-sessions.ts'
import { STATS, type StatusColumns } from './session-sql.ts'

/** The columns of `mining_sessions` that the rules need. */
export type SessionRow = SessionFacts & {
  userId: number
  startTime: Date
  rateSince: Date
  creditedAt: Date | null
  usdtRate: Money
  usdtAccrued: Money
  usdtReward: Money
  quarantinedAt: Date | null
}

/** The accruals of both tokens of a session, as the pure rules take them. */
export function accruals(row: SessionRow): { tesp: Accrual; usdt: Accrual } {
  const since = row.rateSince.getTime()
  return {
    tesp: { rate: row.hashRate, since, accrued: row.tespAccrued },
    usdt: { rate: row.usdtRate, since, accrued: row.usdtAccrued },
  }
}

/** Rates in TESP and USDT per hour for a boost and a number of paid milestones (`teamLevel`). */
function ratesOf(member: { miningBoost: Money; teamLevel: number }) {
  const hashRate = hashRateOf(member.miningBoost)
  return { hashRate, usdtRate: times(hashRate, usdtRateOf(member.teamLevel)) }
}

/** A running session and its member's stats. */
export type RunningSession = SessionRow & StatusColumns

/** The columns of a `RunningSession`. They are named because a prepared statement fails when `*` gains a column. */
export const SESSION_COLUMNS = `s.id, s."userId", s."startTime", s.status, s."hashRate", s.reward,
    s."creditedIntervals", s."creditedAt", s."lastRewardAmount", s."rateSince", s."tespAccrued",
    s."usdtRate", s."usdtAccrued", s."usdtReward", s."quarantinedAt", ${STATS}`

const LOCK_SESSION_SQL = `
  select ${SESSION_COLUMNS}
  from mining_sessions s join mining_stats m on m.bucket = s.bucket and m."userId" = s."userId"
  where s.bucket = :bucket and m.bucket = :bucket and s."userId" = :userId and s.active
  for update`

const LOCK = lockStatement('lock-session', LOCK_SESSION_SQL, 'u."miningBoost"')
const LOCK_WITHOUT_STATS = lockStatement('lock-session-only', `${LOCK_SESSION_SQL} of s`)

/** Locks the member's running session, if any, and the stats until the commit. */
export async function lockActiveSession(
  tx: Tx,
  memberId: number,
): Promise<Locked<RunningSession> | undefined> {
  return (await engineOf(tx)).readLocked<RunningSession>(tx, LOCK, memberKey(memberId))
}

/** What a start needs to know; `sessionId` is the id of the new session. */
export type Starter = StatusColumns & {
  memberId: number
  teamLevel: number
  isMining: boolean
  sessionId: number
}

/** Whether a session that runs on has the credit of every interval that ended by `now` (product time, ms). */
export function isSettled({ startTime, creditedIntervals }: SessionRow, now: number): boolean {
  const ended = intervalsEnded(startTime.getTime(), now)
  return ended <= creditedIntervals && creditedIntervals < INTERVALS
}

/**
 * Credits every interval that ended by `now` (product time, ms) and completes the session after interval 72.
 * @returns the session after that; undefined if it is completed
 * @throws {RuleError} `session_quarantined`
 */
export async function settleSession(
  tx: Tx,
  session: RunningSession,
  now: number,
): Promise<RunningSession | undefined> {
  const { id, userId: memberId } = session
  if (session.quarantinedAt) {
    const text = 'Mining is paused while we check your session. Nothing is lost.'
    throw new RuleError('session_quarantined', text)
  }
  if (isSettled(session, now)) return session
  await creditAllDue(tx, { sessionId: id, memberId }, now)
  await endSession(tx, session)
  return (await lockActiveSession(tx, memberId))?.row
}

/** Stores the rate of a session that ends now, so that its credits can be recomputed (decision 20). */
async function recordRate(tx: Tx, { id, rateSince, hashRate }: SessionRow): Promise<void> {
  await tx('mining_rates')
    .insert({ sessionId: id, since: rateSince, hashRate })
    // Two changes in one millisecond: the first rate applied for no time.
    .onConflict(['sessionId', 'since'])
    .merge()
}

/** Applies the member's rates from `now` (product ms) on; earlier earnings keep the old ones (rules.md: Earning). */
export async function rerateSession(
  tx: Tx,
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
): Promise<void> {
  // A claim, which does not wait for other members' joins, locks the wallet before the stats.
  const locked = await (await engineOf(tx)).readLocked<RunningSession>(
    tx,
    LOCK_WITHOUT_STATS,
    memberKey(member.id),
  )
  // A quarantined session gets the current rates when it is released.
  if (!locked || locked.row.quarantinedAt) return
  const session = await settleSession(tx, locked.row, now)
  if (!session) return
  const { hashRate, usdtRate } = ratesOf(member)
  const { tesp, usdt } = accruals(session)
  const at = sessionTime(session.startTime.getTime(), session.creditedIntervals, now)
  await recordRate(tx, session)
  await tx('mining_sessions')
    .where({ ...memberKey(member.id), id: session.id })
    .update({
      hashRate,
      usdtRate,
      rateSince: new Date(Math.max(at, tesp.since)),
      tespAccrued: changeRate(tesp, hashRate, at).accrued,
      usdtAccrued: changeRate(usdt, usdtRate, at).accrued,
    })
  await countMining(tx, member.id, 0, minus(hashRate, session.hashRate))
  await logPollChange(tx, member.id)
}

/** Columns of a new session that starts at `now` (product time, ms). */
export function newSession(member: Starter, now: number) {
  return {
    ...memberKey(member.memberId),
    sessionId: member.sessionId,
    startTime: new Date(now),
    rateSince: new Date(now),
    creditSlot: creditSlot(now),
    ...ratesOf(member),
  }
}
