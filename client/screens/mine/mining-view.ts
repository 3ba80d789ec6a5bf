import { useAtomValue } from 'jotai'
import { miningAtom } from '#client/data/member-data.ts'
import { useProductNow } from '#client/data/product-clock.ts'
import { amountText, grouped } from '#client/format/amounts.ts'
import { i18n } from '#client/language/language.ts'
import { OVERDUE_MS } from '#client/live/refetch-wallet.ts'
import {
  AI_DEFAULT,
  aiJitter,
  aiOptimization,
  clampAi,
  IDLE_STATS,
  type SimulatedStats,
  simulatedStats,
} from '#rules/ai-figures'
import { INTERVAL_MS, SECOND_MS, SESSION_MS } from '#rules/constants'
import { earnedAt, hashRateOf } from '#rules/money/mining'
import { display, isPositive, type Money, sum, toUnits } from '#rules/money/money'
import type { ClaimResult, MiningStatus } from '#rules/snapshots'

// `now` is product time, ms.

/** Product time since the status was read, ms. */
function since({ serverNow }: MiningStatus, now: number): number {
  return Math.max(0, now - Date.parse(serverNow))
}

export function miningRateText({
  session,
  miningBoost,
}: Pick<MiningStatus, 'session' | 'miningBoost'>) {
  const base = hashRateOf(miningBoost.toFixed(8))
  const rate = session && toUnits(session.hashRate) > toUnits(base) ? session.hashRate : base
  return grouped(display(rate, 3))
}

/** Percent, 30…50, computed as on the server, because a snapshot is only as new as the last push; `realNow` in ms. */
export function aiPercent(status: MiningStatus, now: number, realNow: number): number {
  const { active, session } = status
  if (!session) return AI_DEFAULT
  const percent = clampAi(aiOptimization(session.id, elapsedMs(status, now)))
  return active ? clampAi(percent + aiJitter(session.id, realNow)) : percent
}

export function statsNow(status: MiningStatus, now: number): SimulatedStats {
  const { active, session } = status
  if (!active || !session) return { ...IDLE_STATS, ...status.stats }
  return simulatedStats(session.id, elapsedMs(status, now))
}

export function elapsedMs({ active, session }: MiningStatus, now: number): number {
  if (session?.isCompleted) return SESSION_MS
  if (!active || !session) return 0
  return Math.min(SESSION_MS, Math.max(0, now - Date.parse(session.startTime)))
}

/** Null while inactive. Stays at 0 while a credit is late; once that is overdue, counts to the following one. */
export function untilCreditMs(status: MiningStatus, now: number): number | null {
  const next = status.active ? status.session?.nextCreditIn : undefined
  if (next === undefined || !status.session) return null
  const left = next - since(status, now)
  if (left > -OVERDUE_MS * status.speed) return Math.max(0, left)
  if (elapsedMs(status, now) === SESSION_MS) return 0
  return left - INTERVAL_MS * Math.floor(left / INTERVAL_MS)
}

/** Product ms since the next credit was due; null before that and while mining is inactive. */
export function overdueMs(status: MiningStatus, now: number): number | null {
  const next = status.active ? status.session?.nextCreditIn : undefined
  const late = next === undefined ? -1 : since(status, now) - next
  return late >= 0 ? late : null
}

export function intervalShare(status: MiningStatus, now: number): number {
  const left = untilCreditMs(status, now)
  return left === null ? 0 : 1 - Math.min(INTERVAL_MS, left) / INTERVAL_MS
}

/** TESP since the last credit. Stops at the end of the interval until the credit arrives, so that it never falls. */
export function earnedNow(status: MiningStatus, now: number): Money {
  const { session } = status
  if (!session) return '0'
  const passed = Math.min(since(status, now), session.nextCreditIn ?? 0)
  const more = earnedAt({ rate: session.hashRate, since: 0, accrued: '0' }, Math.floor(passed))
  return status.active ? sum(session.currentReward, more) : session.currentReward
}

export function cooldownMs(status: MiningStatus, now: number): number {
  const { inCooldown, remainingTime } = status.cooldown
  return inCooldown ? Math.max(0, remainingTime - since(status, now)) : 0
}

/** Whether a claim would be accepted, even if the cooldown ended after the status was read. */
export function claimable(status: MiningStatus, now: number): boolean {
  const waited = status.cooldown.inCooldown && cooldownMs(status, now) === 0
  return status.canClaim || (status.hasPendingRewards && waited)
}

export function claimText({ claimedTesp, claimedUsdt }: ClaimResult): string {
  const amounts = { tesp: amountText(claimedTesp, 'TESP'), usdt: amountText(claimedUsdt, 'USDT') }
  const [hasTesp, hasUsdt] = [isPositive(claimedTesp), isPositive(claimedUsdt)]
  if (hasTesp && hasUsdt) return i18n.t('mine:claimed.both', amounts)
  if (hasTesp) return i18n.t('mine:claimed.tesp', amounts)
  return hasUsdt ? i18n.t('mine:claimed.usdt', amounts) : i18n.t('mine:claimed.none')
}

/** Tick while product time runs faster than real time, so that the figures still move smoothly. */
const FAST_TICK_MS = SECOND_MS / 4

/** The status and the product time, updated every second. */
export function useMining(): { status: MiningStatus; now: number } | null {
  const status = useAtomValue(miningAtom).data
  const phase = status?.session ? Date.parse(status.session.startTime) : 0
  const now = useProductNow(status && status.speed > 1 ? FAST_TICK_MS : SECOND_MS, phase)
  return status ? { status, now: now ?? Date.parse(status.serverNow) } : null
}
