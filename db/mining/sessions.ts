import { engineOf } from '#db/engine/engine'
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
import { type Money, minus, times } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { endSession } from './end-sessions.ts'

/** The columns of `mining_sessions` that the rules need. */
export type SessionRow = {
  id: number
  userId: number
  startTime: Date
  active: boolean
  status: 'active' | 'stopped' | 'completed'
  hashRate: Money
  reward: Money
  creditedIntervals: number
  creditedAt: Date | null
  lastRewardAmount: Money
  rateSince: Date
  tespAccrued: Money
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
function ratesOf(member: { miningBoost: Money; teamLevel: number }): {
  hashRate: Money
  usdtRate: Money
} {
  const hashRate = hashRateOf(member.miningBoost)
  return { hashRate, usdtRate: times(hashRate, usdtRateOf(member.teamLevel)) }
}

/** A running session that is locked until the transaction ends, and product time (ms) after that. */
type LockedSession = { session: SessionRow; now: number }

/** The columns are named because a prepared statement fails when `*` gains a column. */
const LOCK = lockStatement(
  'lock-session',
  `select id, "userId", "startTime", active, status, "hashRate", reward, "creditedIntervals",
    "creditedAt", "lastRewardAmount", "rateSince", "tespAccrued", "usdtRate", "usdtAccrued",
    "usdtReward", "quarantinedAt"
  from mining_sessions where bucket = :bucket and "userId" = :userId and active for update`,
)

/** Locks the member's running session, if any. */
export async function lockActiveSession(
  tx: Tx,
  memberId: number,
): Promise<LockedSession | undefined> {
  const engine = await engineOf(tx)
  const locked = await engine.readLocked<SessionRow>(tx, LOCK, memberKey(memberId))
  return locked && { session: locked.row, now: locked.now }
}

/**
 * Credits every interval of a locked session that ended by `now` (product time, ms) with the
 * statement of the workers, and completes the session after interval 72.
 * @returns the session after that
 * @throws {RuleError} `session_quarantined`
 */
export async function settleSession(tx: Tx, session: SessionRow, now: number): Promise<SessionRow> {
  const { id, userId: memberId, startTime, creditedIntervals } = session
  if (session.quarantinedAt) {
    const text = 'Mining is paused while we check your session. Nothing is lost.'
    throw new RuleError('session_quarantined', text)
  }
  const ended = intervalsEnded(startTime.getTime(), now)
  if (ended <= creditedIntervals && creditedIntervals < INTERVALS) return session
  await creditAllDue(tx, { sessionId: id, memberId }, now)
  await endSession(tx, session)
  return tx('mining_sessions')
    .where({ ...memberKey(memberId), id })
    .first()
}

/** Stores the rate of a session that ends now, so that its credits can be recomputed (decision 20). */
async function recordRate(tx: Tx, { id, rateSince, hashRate }: SessionRow): Promise<void> {
  await tx('mining_rates')
    .insert({ sessionId: id, since: rateSince, hashRate })
    // Two changes in one millisecond: the first rate applied for no time.
    .onConflict(['sessionId', 'since'])
    .merge()
}

/**
 * Applies the rates of the member's boost and level to their running session, if any, from `now`
 * (product time, ms) on. Earnings until `now` stay at the old rates (rules.md: Earning).
 */
export async function rerateSession(
  tx: Tx,
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
): Promise<void> {
  const locked = await lockActiveSession(tx, member.id)
  // A quarantined session gets the current rates when it is released.
  if (!locked || locked.session.quarantinedAt) return
  const session = await settleSession(tx, locked.session, now)
  if (!session.active) return
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

/** Columns of a new session of the member that starts at `now` (product time, ms). */
export function newSession(
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
) {
  return {
    ...memberKey(member.id),
    startTime: new Date(now),
    rateSince: new Date(now),
    creditSlot: creditSlot(now),
    ...ratesOf(member),
  }
}
