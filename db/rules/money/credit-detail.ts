import { type Accrual, changeRate, earnedAt, intervalEnd } from './mining.ts'
import { type Money, minus } from './money.ts'

/** A rate of a session in TESP per hour, from `since` (product time, ms) until the next rate. */
export type SessionRate = { since: number; rate: Money }

/** An interval of a session, the end of it (product time, ms) and what it was paid. */
export type PaidInterval = { n: number; at: number; amount: Money }

function earnedUntil([first, ...later]: SessionRate[], at: number): Money {
  let accrual: Accrual = { rate: first?.rate ?? '0', since: first?.since ?? at, accrued: '0' }
  for (const { rate, since } of later) {
    if (since < at) accrual = changeRate(accrual, rate, since)
  }
  return earnedAt(accrual, at)
}

/** Recomputes the credits `from`…`to` from all rates, oldest first: exactly what was paid (rules.md: Earning). */
export function paidIntervals(
  startedAt: number,
  rates: SessionRate[],
  { from, to }: { from: number; to: number },
): PaidInterval[] {
  const paid: PaidInterval[] = []
  let earned = from === 1 ? '0' : earnedUntil(rates, intervalEnd(startedAt, from - 1))
  for (let n = from; n <= to; n++) {
    const at = intervalEnd(startedAt, n)
    const total = earnedUntil(rates, at)
    paid.push({ n, at, amount: minus(total, earned) })
    earned = total
  }
  return paid
}
