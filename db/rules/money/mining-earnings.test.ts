import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HOUR_MS, SESSION_MS } from '#rules/constants'
import { type Accrual, changeRate, earnedAt, intervalEnd, intervalsEnded } from './mining.ts'
import { fromUnits, minus, sum, toUnits } from './money.ts'

const START = Date.UTC(2026, 0, 15, 7, 31, 12, 345)

type Step = { after: number; rate: string | null }
type Paid = { n: number; amount: string }

/** A session with all its payments, as the workers and a stop make them. */
class Run {
  accrual: Accrual
  readonly paid: Paid[] = []
  reward = '0'
  /** Rates with their start times; the exact sum is computed from them. */
  readonly history: { from: number; rate: string }[]

  constructor(rate: string) {
    this.accrual = { rate, since: START, accrued: '0' }
    this.history = [{ from: START, rate }]
  }

  credit(now: number) {
    for (let n = this.paid.length + 1; n <= intervalsEnded(START, now); n++) {
      const earned = earnedAt(this.accrual, intervalEnd(START, n))
      this.paid.push({ n, amount: minus(earned, this.reward) })
      this.reward = earned
    }
  }

  rerate(rate: string, now: number) {
    this.credit(now)
    this.accrual = changeRate(this.accrual, rate, now)
    this.history.push({ from: now, rate })
  }

  stop(now: number): string {
    this.credit(now)
    const earned = earnedAt(this.accrual, Math.min(now, START + SESSION_MS))
    return minus(earned, this.reward)
  }

  /** Σ rate × time of the history, floored once at the end. */
  exact(now: number): string {
    const end = Math.min(now, START + SESSION_MS)
    let total = 0n
    for (const [index, { from, rate }] of this.history.entries()) {
      const until = Math.min(this.history[index + 1]?.from ?? end, end)
      total += toUnits(rate) * BigInt(Math.max(0, until - from))
    }
    return fromUnits(total / BigInt(HOUR_MS))
  }
}

const rate = fc.bigInt({ min: 1n, max: 10n ** 10n }).map(fromUnits)
const step: fc.Arbitrary<Step> = fc.record({
  after: fc.oneof(fc.nat(5_000), fc.nat(HOUR_MS), fc.nat(6 * HOUR_MS)),
  rate: fc.option(rate),
})

/** Steps within one session. */
const steps = fc.array(step, { maxLength: 40 }).map((all) => {
  let elapsed = 0
  return all.filter(({ after }) => {
    const fits = elapsed + after < SESSION_MS
    if (fits) elapsed += after
    return fits
  })
})

/** Plays rate changes and sweeps of the workers, early or late, then a stop. */
function play(first: string, taken: Step[]): { run: Run; pending: string; end: number } {
  const run = new Run(first)
  let now = START
  for (const { after, rate: next } of taken) {
    now += after
    if (next === null) run.credit(now)
    else run.rerate(next, now)
  }
  const end = now + 1
  return { run, pending: run.stop(end), end }
}

it('credits and pending together equal exactly what was earned', () => {
  fc.assert(
    fc.property(rate, steps, (first, taken) => {
      const { run, pending, end } = play(first, taken)
      expect(sum(...run.paid.map(({ amount }) => amount), pending)).toBe(run.exact(end))
      expect(toUnits(pending) >= 0n).toBe(true)
    }),
    { numRuns: 300 },
  )
})

it('each ended interval is paid once, in order', () => {
  fc.assert(
    fc.property(rate, steps, (first, taken) => {
      const { run, end } = play(first, taken)
      const ended = intervalsEnded(START, end)
      expect(run.paid.map(({ n }) => n)).toEqual(Array.from({ length: ended }, (_, i) => i + 1))
    }),
    { numRuns: 300 },
  )
})

it('an interval pays the same whether its credit is on time or late', () => {
  fc.assert(
    fc.property(rate, steps, (first, taken) => {
      const late = play(first, taken)
      const swept = taken.flatMap(({ after, rate: next }) => [
        { after: Math.floor(after / 2), rate: null },
        { after: Math.ceil(after / 2), rate: next },
      ])
      const onTime = play(first, swept)
      expect(onTime.end).toBe(late.end)
      expect(onTime.run.paid).toEqual(late.run.paid)
      expect(onTime.pending).toBe(late.pending)
    }),
    { numRuns: 200 },
  )
})

it('a full session pays 72 credits and leaves nothing pending', () => {
  fc.assert(
    fc.property(rate, (first) => {
      const run = new Run(first)
      run.credit(START + 3 * SESSION_MS)
      expect(run.paid).toHaveLength(72)
      expect(run.stop(START + 3 * SESSION_MS)).toBe('0.00000000')
      expect(sum(...run.paid.map(({ amount }) => amount))).toBe(fromUnits(toUnits(first) * 24n))
    }),
  )
})
