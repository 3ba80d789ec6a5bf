import { aiOptimization, IDLE_STATS, simulatedStats } from '#rules/ai-figures'
import { CLAIM_COOLDOWN_MS, INTERVAL_MS, INTERVALS, REWARD_WINDOW_MS } from '#rules/constants'
import { remainingText } from '#rules/duration-text'
import type { AsOf, MiningSession, MiningStatus } from '#rules/snapshots'
import { ledgerId } from './ledger-id.ts'
import { earnedAt, intervalEnd, sessionEnd, sessionTime } from './mining.ts'
import { isPositive, type Money, minus } from './money.ts'

/** The database's clocks at one moment, ms: product time, its speed, and real time (`asOf`). */
export type Moment = { now: number; speed: number; asOf: AsOf }

/** As a row of the database has a time, or as JSON has it: in ms. */
type StoredTime = Date | number

/** The columns of a session that a status shows; times of product time unless they say otherwise. */
export type SessionFacts = {
  id: number
  startTime: StoredTime
  status: 'active' | 'stopped' | 'completed'
  /** TESP per hour since `rateSince`; `tespAccrued` as in `Accrual`. */
  hashRate: Money
  rateSince: StoredTime
  tespAccrued: Money
  /** TESP moved to the wallet or to pending so far. */
  reward: Money
  creditedIntervals: number
  lastRewardAmount: Money
  /** Real time of the last automatic credit. */
  creditedAt: StoredTime | null
}

/** The columns of a member that a status shows, and the newest session. */
export type MiningFacts = {
  miningBoost: Money
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
  session: SessionFacts | null
}

function sessionView(session: SessionFacts, now: number): MiningSession {
  const startedAt = Number(session.startTime)
  const end = sessionEnd(startedAt)
  const at = sessionTime(startedAt, session.creditedIntervals, now)
  const isCompleted = session.status === 'completed' || at >= end
  const nextCredit = intervalEnd(startedAt, session.creditedIntervals + 1)
  const { hashRate: rate, tespAccrued: accrued } = session
  const earned = earnedAt({ rate, since: Number(session.rateSince), accrued }, at)
  return {
    id: session.id,
    startTime: new Date(startedAt).toISOString(),
    aiOptimization: aiOptimization(session.id, at - startedAt),
    hashRate: rate,
    currentReward: minus(earned, session.reward),
    remainingTime: isCompleted ? 0 : end - at,
    isCompleted,
    creditedIntervals: session.creditedIntervals,
    credited: session.reward,
    ...(isCompleted ? {} : { nextCreditIn: Math.min(INTERVAL_MS, Math.max(0, nextCredit - now)) }),
  }
}

/** Remaining claim cooldown at `now`, ms of product time, 0…20 min. */
export function claimCooldown(lastClaimTime: Date | null, now: number): number {
  if (lastClaimTime === null) return 0
  const left = lastClaimTime.getTime() + CLAIM_COOLDOWN_MS - now
  return Math.min(CLAIM_COOLDOWN_MS, Math.max(0, left))
}

/** Real ms until `rewardAdded` changes; a credit in the future means a clock that was set back. */
function rewardWindowChangesIn(sinceCredit: number): number {
  if (sinceCredit >= REWARD_WINDOW_MS) return Number.POSITIVE_INFINITY
  return (sinceCredit > -REWARD_WINDOW_MS ? REWARD_WINDOW_MS : -REWARD_WINDOW_MS) - sinceCredit
}

/**
 * Real ms for which status and wallet stay as they are unless somebody writes a fact; figures that clients compute
 * do not count. Credits are no such write: an interval that is due makes this 0.
 */
export function unchangedMs(facts: MiningFacts, { now, speed, asOf }: Moment): number {
  const { session, lastClaimTime } = facts
  const limits: number[] = []
  if (session && session.status !== 'stopped' && session.creditedIntervals < INTERVALS) {
    const nextCredit = intervalEnd(Number(session.startTime), session.creditedIntervals + 1)
    limits.push((nextCredit - now) / speed)
  }
  const cooldownMs = claimCooldown(lastClaimTime, now)
  if (cooldownMs > 0) limits.push(cooldownMs / speed)
  if (session && session.creditedAt !== null) {
    limits.push(rewardWindowChangesIn(asOf - Number(session.creditedAt)))
  }
  return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...limits))
}

/** The mining status that REST answers and sockets push: a pure function of facts and time. */
export function miningStatus(facts: MiningFacts, { now, speed, asOf }: Moment): MiningStatus {
  const { session } = facts
  const shown = session && session.status !== 'stopped' ? sessionView(session, now) : null
  const active = session?.status === 'active' && !shown?.isCompleted
  const credited = session?.creditedAt ?? null
  const sinceCredit = credited === null ? Number.POSITIVE_INFINITY : asOf - Number(credited)
  const rewardAdded = session !== null && Math.abs(sinceCredit) < REWARD_WINDOW_MS
  const left = claimCooldown(facts.lastClaimTime, now)
  const pending = isPositive(facts.pendingRewards) || isPositive(facts.pendingUsdtRewards)
  return {
    active,
    session: shown,
    rewardAdded,
    rewardAmount: rewardAdded ? session.lastRewardAmount : null,
    rewardId: rewardAdded
      ? ledgerId('credit', { sessionId: session.id, n: session.creditedIntervals })
      : null,
    pendingRewards: facts.pendingRewards,
    pendingUsdtRewards: facts.pendingUsdtRewards,
    canClaim: pending && left === 0,
    hasPendingRewards: pending,
    cooldown: { inCooldown: left > 0, remainingText: remainingText(left), remainingTime: left },
    stats:
      active && shown
        ? simulatedStats(shown.id, Math.max(0, now - Number(session.startTime)))
        : { ...IDLE_STATS },
    miningBoost: Number(facts.miningBoost),
    serverNow: new Date(now).toISOString(),
    speed,
    asOf,
  }
}
