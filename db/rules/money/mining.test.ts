import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import {
  boostOf,
  changeRate,
  creditSlot,
  earnedAt,
  hashRateOf,
  intervalEnd,
  intervalsEnded,
  sessionEnd,
} from './mining.ts'

const START = Date.UTC(2026, 4, 1, 12, 0, 3, 250)
const accrual = { rate: '0.1', since: START, accrued: '0' }

describe('rates', () => {
  it('the rate of a member without a team is 0.1 TESP an hour', () => {
    expect(hashRateOf(boostOf(0))).toBe('0.10000000')
  })

  it('the rate rises by 5 % for each direct member, without an upper limit', () => {
    expect(hashRateOf(boostOf(1))).toBe('0.10500000')
    expect(hashRateOf(boostOf(3))).toBe('0.11500000')
    expect(hashRateOf(boostOf(1000))).toBe('5.10000000')
    expect(boostOf(7)).toBe('0.35000000')
  })
})

describe('earnedAt', () => {
  it('earnedAt pays the rate for each hour', () => {
    expect(earnedAt(accrual, START + HOUR_MS)).toBe('0.10000000')
    expect(earnedAt(accrual, START + DAY_MS)).toBe('2.40000000')
  })

  it('earnedAt floors to 8 places', () => {
    expect(earnedAt(accrual, START + INTERVAL_MS)).toBe('0.03333333')
    expect(earnedAt(accrual, START + 2 * INTERVAL_MS)).toBe('0.06666666')
    expect(earnedAt(accrual, START + 3 * INTERVAL_MS)).toBe('0.10000000')
  })

  it('earnedAt is 0 before the start', () => {
    expect(earnedAt(accrual, START - HOUR_MS)).toBe('0.00000000')
  })

  it('earnedAt never falls over time', () => {
    fc.assert(
      fc.property(fc.nat(DAY_MS), fc.nat(DAY_MS), (a, b) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b)]
        return Number(earnedAt(accrual, START + early)) <= Number(earnedAt(accrual, START + late))
      }),
    )
  })
})

describe('changeRate', () => {
  it('changeRate keeps earnings before the change', () => {
    const changed = changeRate(accrual, '5', START + HOUR_MS)
    expect(earnedAt(changed, START + HOUR_MS)).toBe('0.10000000')
    expect(earnedAt(changed, START + 2 * HOUR_MS)).toBe('5.10000000')
  })

  it('changeRate does not round, however often the rate changes', () => {
    let now = accrual
    for (let i = 1; i <= 1_000; i++) now = changeRate(now, '0.1', START + i)
    expect(earnedAt(now, START + HOUR_MS)).toBe('0.10000000')
  })

  it('changeRate keeps earnings when the clock moves back', () => {
    const later = changeRate(accrual, '0.2', START + HOUR_MS)
    const back = changeRate(later, '0.3', START + MINUTE_MS)
    expect(back.since).toBe(START + HOUR_MS)
    expect(earnedAt(back, START + HOUR_MS)).toBe('0.10000000')
  })
})

describe('intervals', () => {
  it('intervals end each 20 minutes, the 72nd with the session', () => {
    expect(intervalEnd(START, 1)).toBe(START + 20 * MINUTE_MS)
    expect(intervalEnd(START, 72)).toBe(sessionEnd(START))
    expect(sessionEnd(START)).toBe(START + DAY_MS)
  })

  it('an interval counts as ended exactly from its end on', () => {
    expect(intervalsEnded(START, START + INTERVAL_MS - 1)).toBe(0)
    expect(intervalsEnded(START, START + INTERVAL_MS)).toBe(1)
    expect(intervalsEnded(START, START + 5 * INTERVAL_MS + 1)).toBe(5)
  })

  it('0 to 72 intervals have ended for any clock', () => {
    expect(intervalsEnded(START, START - HOUR_MS)).toBe(0)
    expect(intervalsEnded(START, START + 26 * HOUR_MS)).toBe(72)
  })
})

describe('creditSlot', () => {
  it('creditSlot is equal for all intervals of a session', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 41), fc.integer({ min: 1, max: 72 }), (startedAt, n) => {
        expect(creditSlot(intervalEnd(startedAt, n))).toBe(creditSlot(startedAt))
        expect(creditSlot(startedAt)).toBeGreaterThanOrEqual(0)
        expect(creditSlot(startedAt)).toBeLessThan(1_200)
      }),
    )
  })

  it('creditSlot rises by one each second', () => {
    expect(creditSlot(0)).toBe(0)
    expect(creditSlot(999)).toBe(0)
    expect(creditSlot(1_000)).toBe(1)
    expect(creditSlot(20 * MINUTE_MS - 1)).toBe(1_199)
  })
})
