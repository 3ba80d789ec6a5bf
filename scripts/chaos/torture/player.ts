import { setTimeout as sleep } from 'node:timers/promises'
import { type Answers, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import type { Visitor } from '#gateway/testing/visitor'
import type { ClaimResult } from '#rules/snapshots'
import type { Random } from './random.ts'

/** What all members did and were told. */
export type Tally = {
  /** Answers by route and status. */
  answers: Record<string, number>
  /** Requests whose answer was lost, and that were sent again. */
  lost: number
  /** Requests that were told to come back later, and did. */
  unavailable: number
  /** Answers that must never be given: 5xx other than a 503 with a message, and texts that are not JSON. */
  faults: string[]
  /** What claims were told to have paid, by the key of the press. */
  claims: Map<string, Claimed>
}

/** TESP and USDT of one claim. */
export type Claimed = Pick<ClaimResult, 'claimedTesp' | 'claimedUsdt'>

export const newTally = (): Tally => ({
  answers: {},
  lost: 0,
  unavailable: 0,
  faults: [],
  claims: new Map(),
})

const REQUEST_LIMIT_MS = 10_000

/** A member who presses things at random, often twice at once, and never gives an answer up. */
export class Player {
  private presses = 0

  constructor(
    private readonly visitor: Visitor,
    private readonly everybody: Visitor[],
    private readonly random: Random,
    private readonly tally: Tally,
  ) {}

  async play(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      await this.press()
      await sleep(this.random.between(20, 250))
    }
  }

  private async press(): Promise<void> {
    const action = this.random.pick([
      ...['start', 'start', 'start', 'stop', 'stop', 'claim', 'claim', 'claim'],
      ...['task', 'apply', 'milestones', 'status'],
    ])
    if (action === 'start') await this.twins('POST /api/mining/start')
    if (action === 'stop') await this.twins('POST /api/mining/stop')
    if (action === 'claim') await this.claim()
    if (action === 'task') {
      const taskId = this.random.pick([
        'follow_twitter',
        'join_telegram',
        'JOIN_TELEGRAM',
        ' join_telegram',
      ])
      await this.twins('POST /api/tasks/complete', { taskId })
    }
    if (action === 'apply') await this.apply()
    if (action === 'milestones') await this.twins('GET /api/referral/check-milestones')
    if (action === 'status') await this.send('GET /api/mining/status')
  }

  private async apply(): Promise<void> {
    const owner = this.random.pick(this.everybody)
    const code = await this.send('POST /api/referral/generate-code')
    const other = owner.user?.referralCode ?? code?.referralCode
    if (this.visitor.user && code) this.visitor.user.referralCode = code.referralCode
    if (other) await this.twins('POST /api/referral/apply-code', { referralCode: other })
  }

  /** The same press under one key, and a rival under another one. */
  private async claim(): Promise<void> {
    const key = this.newKey()
    const rival = this.newKey()
    await Promise.all([
      this.claimUnder(key),
      this.random.next() < 0.5 ? this.claimUnder(key) : undefined,
      this.random.next() < 0.5 ? this.claimUnder(rival) : undefined,
    ])
  }

  private async claimUnder(key: string): Promise<void> {
    const claim = await this.send('POST /api/mining/claim', undefined, key)
    if (!claim) return
    const { claimedTesp, claimedUsdt } = claim
    const before = this.tally.claims.get(key) ?? claim
    if (before.claimedTesp !== claimedTesp || before.claimedUsdt !== claimedUsdt) {
      this.tally.faults.push(`two answers to the claim ${key}`)
    }
    this.tally.claims.set(key, { claimedTesp, claimedUsdt })
  }

  private async twins(route: RouteName, body?: unknown): Promise<void> {
    const times = this.random.between(1, 3)
    await Promise.all(Array.from({ length: times }, () => this.send(route, body, this.newKey())))
  }

  private newKey(): string {
    return `torture-${this.visitor.user?.id}-${this.presses++}`
  }

  /** Sends until an answer comes: under one key a repetition must do nothing more. */
  private async send<R extends RouteName>(
    route: R,
    body?: unknown,
    key = this.newKey(),
  ): Promise<Answers[R] | undefined> {
    for (;;) {
      const gateway = this.random.between(0, this.visitor.product.urls.length - 1)
      const [method = '', path = ''] = route.split(' ')
      try {
        const response = await this.visitor.fetch(path, gateway, {
          method,
          headers: {
            [IDEMPOTENCY_HEADER]: key,
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          // Some give up early: the answer is lost although the request may have worked.
          signal: AbortSignal.timeout(this.random.next() < 0.1 ? 15 : REQUEST_LIMIT_MS),
        })
        const text = await response.text()
        const answer = this.note(route, response.status, text)
        if (response.status !== 503) return answer
        this.tally.unavailable++
      } catch {
        this.tally.lost++
      }
      await sleep(this.random.between(50, 300))
    }
  }

  private note<R extends RouteName>(
    route: R,
    status: number,
    text: string,
  ): Answers[R] | undefined {
    const name = `${status} ${route}`
    this.tally.answers[name] = (this.tally.answers[name] ?? 0) + 1
    try {
      const answer = JSON.parse(text)
      const isFault = status === 503 ? typeof answer.message !== 'string' : status >= 500
      if (isFault) this.tally.faults.push(`${name}: ${text.slice(0, 200)}`)
      return status === 200 ? answer : undefined
    } catch {
      this.tally.faults.push(`${name} is not JSON: ${text.slice(0, 200)}`)
      return undefined
    }
  }
}
