import { aiOptimization, IDLE_STATS, simulatedStats } from '#rules/ai-figures'
import { CLAIM_COOLDOWN_MS, INTERVAL_MS, INTERVALS, REWARD_WINDOW_MS } from '#rules/constants'
import { remainingText } from '#rules/duration-text'
import type { AsOf, MiningSession, MiningStatus } from '#rules/snapshots'
import { ledgerId } from './ledger-id.ts'
import { type Accrual, earnedAt, intervalEnd, sessionEnd, sessionTime } from './mining.ts'
import { isPositive, type Money, minus } from './money.ts'

/** The database's clocks at one moment, ms: product time, its speed, and real time (`asOf`). */
export type Moment = { now: number; speed: number; asOf: AsOf }

/** Stored facts of a session; times in ms of product time unless the name says otherwise. */
export type SessionFacts = {
  id: number
  startedAt: number
  status: 'active' | 'stopped' | 'completed'
  tesp: Accrual
  /** TESP moved to the wallet or to pending so far. */
  reward: Money
  creditedIntervals: number
  lastRewardAmount: Money
  /** Real time in ms of the last automatic credit. */
  creditedAtReal: number | null
}

export type MiningFacts = {
  miningBoost: number
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimedAt: number | null
  session: SessionFacts | null
}

function sessionView(session: SessionFacts, now: number): MiningSession {
  const end = sessionEnd(session.startedAt)
  const at = sessionTime(session.startedAt, session.creditedIntervals, now)
  const isCompleted = session.status === 'completed' || at >= end
  const nextCredit = intervalEnd(session.startedAt, session.creditedIntervals + 1)
  return {
    id: session.id,
    startTime: new Date(session.startedAt).toISOString(),
    aiOptimization: aiOptimization(session.id, at - session.startedAt),
    hashRate: session.tesp.rate,
    currentReward: minus(earnedAt(session.tesp, at), session.reward),
    remainingTime: isCompleted ? 0 : end - at,
    isCompleted,
    creditedIntervals: session.creditedIntervals,
    credited: session.reward,
    ...(isCompleted ? {} : { nextCreditIn: Math.min(INTERVAL_MS, Math.max(0, nextCredit - now)) }),
  }
}

/** Remaining claim cooldown at `now`, ms of product time, 0…20 min. */
export function claimCooldown(lastClaimedAt: number | null, now: number): number {
  if (lastClaimedAt === null) return 0
  const left = lastClaimedAt + CLAIM_COOLDOWN_MS - now
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
  const { session, lastClaimedAt } = facts
  const limits: number[] = []
  if (session && session.status !== 'stopped' && session.creditedIntervals < INTERVALS) {
    const nextCredit = intervalEnd(session.startedAt, session.creditedIntervals + 1)
    limits.push((nextCredit - now) / speed)
  }
  const cooldownMs = claimCooldown(lastClaimedAt, now)
  if (cooldownMs > 0) limits.push(cooldownMs / speed)
  if (session && session.creditedAtReal !== null) {
    limits.push(rewardWindowChangesIn(asOf - session.creditedAtReal))
  }
  return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...limits))
}

/** The mining status that REST answers and sockets push: a pure function of facts and time. */
export function miningStatus(facts: MiningFacts, { now, speed, asOf }: Moment): MiningStatus {
  const { session } = facts
  const shown = session && session.status !== 'stopped' ? sessionView(session, now) : null
  const active = session?.status === 'active' && !shown?.isCompleted
  const credited = session?.creditedAtReal ?? null
  const sinceCredit = credited === null ? Number.POSITIVE_INFINITY : asOf - credited
  const rewardAdded = session !== null && Math.abs(sinceCredit) < REWARD_WINDOW_MS
  const left = claimCooldown(facts.lastClaimedAt, now)
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
        ? simulatedStats(shown.id, Math.max(0, now - session.startedAt))
        : { ...IDLE_STATS },
    miningBoost: facts.miningBoost,
    serverNow: new Date(now).toISOString(),
    speed,
    asOf,
  }
}
