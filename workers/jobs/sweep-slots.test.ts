import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import { creditSlot } from '#rules/mining'
import { FULL_SWEEP_MS, isFullSweep, type Swept, slotsToSweep } from './sweep-slots.ts'

const T = Date.UTC(2026, 1, 3, 4, 5, 6, 789)
const slotsOf = (swept: Swept | undefined, now: number, realNow: number) =>
  slotsToSweep(swept, now, realNow).flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i),
  )

describe('slotsToSweep', () => {
  it('the first sweep of a process covers every slot', () => {
    expect(slotsOf(undefined, T, 0)).toEqual(Array.from({ length: 1_200 }, (_, i) => i))
  })

  it('a sweep covers the seconds since the last one, both ends included', () => {
    const swept = { at: T, fullAt: 0 }
    const first = creditSlot(T)
    expect(slotsOf(swept, T + 2 * SECOND_MS, 2_000)).toEqual([first, first + 1, first + 2])
    expect(slotsOf(swept, T, 0)).toEqual([first])
  })

  it('a sweep over the end of the cycle continues at slot 0', () => {
    const end = 1_199 * SECOND_MS
    expect(slotsOf({ at: end, fullAt: 0 }, end + 2 * SECOND_MS, 0)).toEqual([1_199, 0, 1])
  })

  it('a sweep covers every slot each real minute', () => {
    const swept = { at: T, fullAt: 5 }
    expect(isFullSweep(swept, T + 1, 5 + FULL_SWEEP_MS - 1)).toBe(false)
    expect(slotsOf(swept, T + 1, 5 + FULL_SWEEP_MS)).toHaveLength(1_200)
  })

  it('a sweep covers every slot after a jump of the clock, forwards or back', () => {
    const swept = { at: T, fullAt: 0 }
    expect(slotsOf(swept, T - 1, 1)).toHaveLength(1_200)
    expect(slotsOf(swept, T + 26 * HOUR_MS, 1)).toHaveLength(1_200)
    expect(slotsOf(swept, T + 19 * MINUTE_MS, 1)).toHaveLength(1_200)
  })

  it('one statement sweeps at most 30 slots', () => {
    const ranges = slotsToSweep(undefined, T, 0)
    expect(ranges.every(({ from, to }) => to - from < 30 && from <= to)).toBe(true)
  })
})

it('every elapsed second is swept for any sequence of sweeps and clock jumps', () => {
  const step = fc.oneof(
    fc.integer({ min: 0, max: 5_000 }),
    fc.integer({ min: 0, max: 25 * MINUTE_MS }),
    fc.integer({ min: -HOUR_MS, max: 2 * HOUR_MS }),
  )
  fc.assert(
    fc.property(
      fc.nat(2 ** 40),
      fc.array(step, { minLength: 2, maxLength: 30 }),
      (start, steps) => {
        let swept: Swept | undefined
        let now = start + 3 * HOUR_MS
        let real = 0
        for (const ms of steps) {
          const before = swept
          now = Math.max(0, now + ms)
          real += 1_000
          const covered = new Set(slotsOf(before, now, real))
          // One cycle back at most: earlier seconds have the same slots.
          const since = Math.max(before?.at ?? now, now - 20 * MINUTE_MS)
          const elapsed = [now]
          for (let second = since; second < now; second += SECOND_MS) elapsed.push(second)
          if (!elapsed.every((second) => covered.has(creditSlot(second)))) return false
          const isFull = isFullSweep(before, now, real)
          swept = { at: now, fullAt: isFull ? real : (before?.fullAt ?? real) }
        }
      },
    ),
  )
})
