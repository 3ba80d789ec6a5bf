import { type Amounts, INTERVAL, INTERVALS, nothing, SESSION, type Token } from './rules.ts'

/** One mining run: its whole rate history and what was paid of it. */
export class ModelSession {
  state: 'active' | 'stopped' | 'completed' = 'active'
  /** Intervals that were credited. */
  credited = 0
  /** What credits, and at the end the stop, moved out of the session. */
  readonly paid = nothing()
  private readonly history: { from: number; rates: Amounts }[]

  constructor(
    readonly start: number,
    rates: Amounts,
  ) {
    this.history = [{ from: start, rates }]
  }

  /** The rates that apply now. */
  get rates(): Amounts {
    return this.last.rates
  }

  private get last() {
    const last = this.history.at(-1)
    if (!last) throw new Error('a session has a rate')
    return last
  }

  /** The end of interval `n`. */
  end(n: number): number {
    return this.start + n * INTERVAL
  }

  /** Intervals that ended by `now`; a clock that was set back takes none away. */
  due(now: number): number {
    const ended = Math.floor((now - this.start) / INTERVAL)
    return Math.max(this.credited, Math.min(INTERVALS, ended))
  }

  /** `now` within the session and not before what was credited. */
  time(now: number): number {
    return Math.min(Math.max(now, this.end(this.credited)), this.start + SESSION)
  }

  /** Whole units earned until `at`. What a change of the rate has closed stays earned. */
  earned(token: Token, at: number): bigint {
    const until = Math.max(at, this.last.from)
    const total = this.history.reduce((sum, { from, rates }, i) => {
      const to = this.history[i + 1]?.from ?? until
      return sum + rates[token] * BigInt(to - from)
    }, 0n)
    return total / 3_600_000n
  }

  /** Applies other rates from `at` on. */
  change(at: number, rates: Amounts): void {
    this.history.push({ from: Math.max(at, this.last.from), rates })
  }

  /** What was earned until `at` and not paid; it is paid now. */
  take(token: Token, at: number): bigint {
    const earned = this.earned(token, at)
    const amount = earned - this.paid[token]
    this.paid[token] = earned
    return amount
  }
}
