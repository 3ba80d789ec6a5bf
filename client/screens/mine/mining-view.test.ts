import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anActiveStatus, anIdleStatus, aSession, NOW } from '#client/testing/fixtures.ts'
import { aiOptimization, IDLE_STATS, simulatedStats } from '#rules/ai-figures'
import { HOUR_MS, INTERVAL_MS, MINUTE_MS, SECOND_MS, SESSION_MS } from '#rules/constants'
import { toUnits } from '#rules/money/money'
import {
  aiPercent,
  claimable,
  claimText,
  cooldownMs,
  earnedNow,
  elapsedMs,
  intervalShare,
  miningRateText,
  statsNow,
  untilCreditMs,
} from './mining-view.ts'

describe('rate', () => {
  it('the rate is the boosted base rate without a session or with a slower one', () => {
    expect(miningRateText(anIdleStatus())).toBe('0.100')
    expect(miningRateText(anIdleStatus({ miningBoost: 0.15000000000000002 }))).toBe('0.115')
    const slow = aSession({ hashRate: '0.01000000' })
    expect(miningRateText(anActiveStatus({ session: slow, miningBoost: 0.05 }))).toBe('0.105')
  })

  it('the rate is the session rate when it is larger than the base rate', () => {
    const fast = aSession({ hashRate: '0.12550000' })
    expect(miningRateText(anActiveStatus({ session: fast }))).toBe('0.125')
  })
})

describe('simulated figures', () => {
  /** A session that began at `NOW`, in a snapshot of that moment. */
  const started = anActiveStatus({
    session: aSession({ startTime: new Date(NOW).toISOString(), aiOptimization: 35 }),
    stats: { ...IDLE_STATS },
  })

  it('simulated figures are the defaults while idle', () => {
    expect(aiPercent(anIdleStatus(), NOW, NOW)).toBe(35)
    expect(statsNow(anIdleStatus(), NOW)).toEqual(IDLE_STATS)
  })

  it('simulated figures follow the server without another snapshot', () => {
    fc.assert(
      fc.property(fc.nat(SESSION_MS), (ms) => {
        expect(statsNow(started, NOW + ms)).toEqual(simulatedStats(5, ms))
        const shown = aiPercent(started, NOW + ms, NOW)
        expect(Math.abs(shown - aiOptimization(5, ms))).toBeLessThanOrEqual(1)
        expect(shown).toBeGreaterThanOrEqual(30)
        expect(shown).toBeLessThanOrEqual(50)
      }),
    )
    const hours = Array.from({ length: 24 }, (_, hour) => NOW + hour * HOUR_MS)
    expect(new Set(hours.map((at) => aiPercent(started, at, NOW))).size).toBeGreaterThan(3)
  })

  it('simulated figures stop after 24 hours', () => {
    expect(statsNow(started, NOW + 2 * SESSION_MS)).toEqual(simulatedStats(5, SESSION_MS))
    const completed = anIdleStatus({ session: aSession({ isCompleted: true }) })
    expect(aiPercent(completed, NOW + 2 * SESSION_MS, NOW)).toBe(aiOptimization(5, SESSION_MS))
  })

  it('the jitter of the AI optimization changes every 10 seconds', () => {
    const start = Math.floor(NOW / 10_000) * 10_000
    const shown = (ms: number) => aiPercent(started, NOW, start + ms)
    expect(new Set([0, 3_000, 9_999].map(shown)).size).toBe(1)
    const later = Array.from({ length: 30 }, (_, n) => shown(n * 10_000))
    expect(new Set(later)).toEqual(new Set([34, 35, 36]))
  })
})

describe('session time', () => {
  it('elapsed time runs from the start of the session to 24 hours', () => {
    const status = anActiveStatus()
    expect(elapsedMs(status, NOW + SECOND_MS)).toBe(HOUR_MS + 5 * MINUTE_MS + SECOND_MS)
    expect(elapsedMs(status, NOW + 2 * SESSION_MS)).toBe(SESSION_MS)
    expect(elapsedMs(anIdleStatus(), NOW)).toBe(0)
  })

  it('elapsed time is 24 hours after a completed session', () => {
    const session = aSession({ isCompleted: true, nextCreditIn: undefined })
    expect(elapsedMs(anIdleStatus({ session }), NOW)).toBe(SESSION_MS)
  })

  it('the next credit counts down to 0 and waits there', () => {
    const status = anActiveStatus()
    expect(untilCreditMs(status, NOW + MINUTE_MS)).toBe(14 * MINUTE_MS)
    expect(intervalShare(status, NOW)).toBeCloseTo(0.25)
    expect(untilCreditMs(status, NOW + 15 * MINUTE_MS + 19 * SECOND_MS)).toBe(0)
    expect(untilCreditMs(anIdleStatus(), NOW)).toBeNull()
  })

  it('the countdown continues to the following credit when a credit is overdue', () => {
    const status = anActiveStatus()
    expect(untilCreditMs(status, NOW + 16 * MINUTE_MS)).toBe(19 * MINUTE_MS)
    expect(untilCreditMs(status, NOW + HOUR_MS)).toBe(15 * MINUTE_MS)
    expect(untilCreditMs(status, NOW + SESSION_MS)).toBe(0)
    const fast = anActiveStatus({ speed: 60 })
    expect(untilCreditMs(fast, NOW + 16 * MINUTE_MS)).toBe(0)
  })
})

describe('earned amount', () => {
  it('the earned amount grows by the exact rate each second', () => {
    expect(earnedNow(anActiveStatus(), NOW)).toBe('0.00833333')
    expect(earnedNow(anActiveStatus(), NOW + SECOND_MS)).toBe('0.00836110')
  })

  it('the earned amount never falls and stops at the end of the interval', () => {
    const status = anActiveStatus()
    fc.assert(
      fc.property(fc.nat(2 * INTERVAL_MS), fc.nat(INTERVAL_MS), (ms, more) => {
        const before = toUnits(earnedNow(status, NOW + ms))
        const after = toUnits(earnedNow(status, NOW + ms + more))
        expect(after).toBeGreaterThanOrEqual(before)
        expect(after).toBeLessThanOrEqual(3_333_333n)
      }),
    )
  })
})

describe('claiming', () => {
  const waiting = anIdleStatus({
    hasPendingRewards: true,
    pendingRewards: '0.50000000',
    cooldown: { inCooldown: true, remainingText: '5m 00s', remainingTime: 5 * MINUTE_MS },
  })

  it('a claim is allowed once the cooldown is over', () => {
    expect(cooldownMs(waiting, NOW + MINUTE_MS)).toBe(4 * MINUTE_MS)
    expect(claimable(waiting, NOW + 5 * MINUTE_MS - 1)).toBe(false)
    expect(claimable(waiting, NOW + 5 * MINUTE_MS)).toBe(true)
  })

  it('a claim is never allowed without pending rewards', () => {
    const nothing = { ...waiting, hasPendingRewards: false, pendingRewards: '0' }
    expect(claimable(nothing, NOW + HOUR_MS)).toBe(false)
    expect(claimable(anIdleStatus(), NOW)).toBe(false)
  })

  it('the claim text lists only amounts above zero', () => {
    const text = (claimedTesp: string, claimedUsdt: string) =>
      claimText({ claimedTesp, claimedUsdt })
    expect(text('1.50000000', '0.02000000')).toBe('1.5000 TESP and 0.02 USDT added to your wallet.')
    expect(text('0.03333333', '0.00000000')).toBe('0.0333 TESP added to your wallet.')
    expect(text('0', '0.10000000')).toBe('0.10 USDT added to your wallet.')
    expect(text('0', '0')).toBe('Rewards added to your wallet.')
  })
})
