import {
  type Amounts,
  COOLDOWN,
  INTERVAL,
  INTERVALS,
  nothing,
  ratesOf,
  SESSION,
  type Token,
  text,
} from './rules.ts'

export class ModelSession {
  state: 'active' | 'stopped' | 'completed' = 'active'
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

  get rates(): Amounts {
    return this.last.rates
  }

  private get last() {
    const last = this.history.at(-1)
    if (!last) throw new Error('a session has a rate')
    return last
  }

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

  change(at: number, rates: Amounts): void {
    this.history.push({ from: Math.max(at, this.last.from), rates })
  }

  /** What was earned until `at` and not paid yet, which is paid now. */
  take(token: Token, at: number): bigint {
    const earned = this.earned(token, at)
    const amount = earned - this.paid[token]
    this.paid[token] = earned
    return amount
  }
}

/** A ledger row. `fact` is the id in the ledger, except that a credit names the member's session. */
export type ModelRow = {
  fact: string
  /** Which session of the member it credits, and which interval; absent for other facts. */
  credit?: { session: number; n: number }
  amount: bigint
  at: number
  balance: bigint
}

export class ModelMember {
  referrer: ModelMember | undefined
  level = 0
  claims = 0
  claimedAt: number | undefined
  readonly pending = nothing()
  readonly balance = nothing()
  readonly tasks = new Map<string, number>()
  readonly sessions: ModelSession[] = []
  /** Rows of each token in the order of posting. */
  readonly ledger: Record<Token, ModelRow[]> = { TESP: [], USDT: [] }
  /** By idempotency key; of commands that took effect, or were cancelled. */
  readonly answers = new Map<string, unknown>()

  constructor(
    readonly id: number,
    public teamSize: number,
  ) {}

  get running(): ModelSession | undefined {
    const last = this.sessions.at(-1)
    return last?.state === 'active' ? last : undefined
  }

  get rates() {
    return ratesOf(this.teamSize, this.level)
  }

  post(token: Token, row: Omit<ModelRow, 'balance'>): void {
    this.balance[token] += row.amount
    this.ledger[token].push({ ...row, balance: this.balance[token] })
  }

  creditUntil(n: number): void {
    const { running: session } = this
    if (!session) return
    const index = this.sessions.length - 1
    while (session.credited < n) {
      session.credited += 1
      const at = session.end(session.credited)
      const credit = { session: index, n: session.credited }
      this.post('TESP', { fact: 'credit', credit, amount: session.take('TESP', at), at })
      this.pending.USDT += session.take('USDT', at)
    }
  }

  /** Credits what is due; a session without an interval left is completed. */
  settle(now: number): ModelSession | undefined {
    const { running } = this
    if (!running) return undefined
    this.creditUntil(running.due(now))
    if (running.credited === INTERVALS) running.state = 'completed'
    return this.running
  }

  rerate(now: number): void {
    const session = this.settle(now)
    session?.change(session.time(now), this.rates)
  }

  /** In ms. */
  cooldown(now: number): number {
    if (this.claimedAt === undefined) return 0
    return Math.min(COOLDOWN, Math.max(0, this.claimedAt + COOLDOWN - now))
  }

  view(now: number) {
    const { pending, balance } = this
    const session = this.sessionView(now)
    const isPending = pending.TESP > 0n || pending.USDT > 0n
    return {
      active: session !== null && !session.isCompleted,
      session,
      pending: text(pending.TESP),
      pendingUsdt: text(pending.USDT),
      canClaim: isPending && this.cooldown(now) === 0,
      cooldown: this.cooldown(now),
      boost: this.teamSize * 5,
      balance: text(balance.TESP),
      usdtBalance: text(balance.USDT),
    }
  }

  private sessionView(now: number) {
    const session = this.sessions.at(-1)
    if (!session || session.state === 'stopped') return null
    const at = session.time(now)
    const left = session.start + SESSION - at
    const isCompleted = session.state === 'completed' || left === 0
    return {
      rate: text(session.rates.TESP),
      intervals: session.credited,
      credited: text(session.paid.TESP),
      sinceCredit: text(session.earned('TESP', at) - session.paid.TESP),
      left: isCompleted ? 0 : left,
      isCompleted,
    }
  }
}
