import fc from 'fast-check'
import { expect, it } from 'vitest'
import { INTERVAL_MS, INTERVALS, SESSION_MS } from '#rules/constants'
import { paidIntervals } from './credit-detail.ts'
import { type Accrual, changeRate, earnedAt, intervalEnd } from './mining.ts'
import { fromUnits, minus, sum } from './money.ts'

const STARTED = Date.UTC(2026, 2, 1, 7, 3, 11, 419)
const rate = fc.bigInt({ min: 1n, max: 10n ** 9n }).map(fromUnits)
const changes = fc
  .array(fc.record({ after: fc.nat(SESSION_MS), rate }), { maxLength: 6 })
  .map((list) => list.toSorted((a, b) => a.after - b.after))

it('recomputed credits equal those of a session that changes its rate as it runs', () => {
  fc.assert(
    fc.property(rate, changes, (first, later) => {
      const rates = [
        { since: STARTED, rate: first },
        ...later.map((change) => ({ since: STARTED + change.after, rate: change.rate })),
      ]
      let accrual: Accrual = { rate: first, since: STARTED, accrued: '0' }
      let next = 1
      let reward = '0'
      const credited = []
      for (let n = 1; n <= INTERVALS; n++) {
        const at = intervalEnd(STARTED, n)
        for (; (rates[next]?.since ?? Number.POSITIVE_INFINITY) < at; next++) {
          const { rate, since } = rates[next] ?? { rate: '0', since: 0 }
          accrual = changeRate(accrual, rate, since)
        }
        const earned = earnedAt(accrual, at)
        credited.push({ n, at, amount: minus(earned, reward) })
        reward = earned
      }
      expect(paidIntervals(STARTED, rates, { from: 1, to: INTERVALS })).toEqual(credited)
    }),
  )
})

it('credits of two ranges that follow each other are the credits of the whole range', () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: INTERVALS - 1 }), (only, split) => {
      const rates = [{ since: STARTED, rate: only }]
      const whole = paidIntervals(STARTED, rates, { from: 1, to: INTERVALS })
      const parts = [
        ...paidIntervals(STARTED, rates, { from: 1, to: split }),
        ...paidIntervals(STARTED, rates, { from: split + 1, to: INTERVALS }),
      ]
      expect(parts).toEqual(whole)
    }),
  )
})

it('the amounts of a whole session add up to what the session earned, without rounding loss', () => {
  const paid = paidIntervals(STARTED, [{ since: STARTED, rate: '0.1' }], { from: 1, to: 3 })
  expect(paid.map(({ amount }) => amount)).toEqual(['0.03333333', '0.03333333', '0.03333334'])
  expect(sum(...paid.map(({ amount }) => amount))).toBe('0.10000000')
  expect(paid[2]?.at).toBe(STARTED + 3 * INTERVAL_MS)
})
