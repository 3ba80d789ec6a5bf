import { setTimeout as sleep } from 'node:timers/promises'
import { type Answers, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import { REQUEST_ID_HEADER } from '#gateway/http/request-ids'
import type { Visitor } from '#gateway/testing/visitor'
import type { ClaimResult } from '#rules/snapshots'
import type { Random } from './random.ts'

/** What all members sent and received. */
export type Tally = {
  /** Number of responses by status and route. */
  responses: Record<string, number>
  /** Requests without a response, which were retried. */
  lost: number
  /** Requests answered with 503, which were retried. */
  unavailable: number
  /**
   * Invalid responses: a 5xx other than a 503 with a message, with the error that the gateway has logged,
   * or a body that is not JSON.
   */
  problems: string[]
  /** Acknowledged claims by idempotency key. */
  claims: Map<string, Claimed>
}

/** TESP and USDT of one claim. */
export type Claimed = Pick<ClaimResult, 'claimedTesp' | 'claimedUsdt'>

export const newTally = (): Tally => ({
  responses: {},
  lost: 0,
  unavailable: 0,
  problems: [],
  claims: new Map(),
})

const REQUEST_LIMIT_MS = 10_000
const ACTIONS = [
  'start',
  'start',
  'start',
  'stop',
  'stop',
  'claim',
  'claim',
  'claim',
  'task',
  'apply',
  'milestones',
  'status',
] as const
const TASK_IDS = ['follow_twitter', 'join_telegram', 'JOIN_TELEGRAM', ' join_telegram']

/** A member who sends random commands, often duplicates in parallel, and retries until answered. */
export class Player {
  private commands = 0

  constructor(
    private readonly visitor: Visitor,
    private readonly members: Visitor[],
    private readonly random: Random,
    private readonly tally: Tally,
  ) {}

  async play(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      await this.act()
      await sleep(this.random.between(20, 250))
    }
  }

  private async act(): Promise<void> {
    const action = this.random.pick(ACTIONS)
    if (action === 'start') await this.sendCopies('POST /api/mining/start')
    if (action === 'stop') await this.sendCopies('POST /api/mining/stop')
    if (action === 'claim') await this.claim()
    if (action === 'task') {
      await this.sendCopies('POST /api/tasks/complete', { taskId: this.random.pick(TASK_IDS) })
    }
    if (action === 'apply') await this.applyCode()
    if (action === 'milestones') await this.sendCopies('GET /api/referral/check-milestones')
    if (action === 'status') await this.send('GET /api/mining/status')
  }

  private async applyCode(): Promise<void> {
    const owner = this.random.pick(this.members)
    const code = await this.send('POST /api/referral/generate-code')
    const other = owner.user?.referralCode ?? code?.referralCode
    if (this.visitor.user && code) this.visitor.user.referralCode = code.referralCode
    if (other) await this.sendCopies('POST /api/referral/apply-code', { referralCode: other })
  }

  /** A claim, sometimes duplicated under its key and sometimes raced by one under another key. */
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
      this.tally.problems.push(`claim ${key} got two different answers`)
    }
    this.tally.claims.set(key, { claimedTesp, claimedUsdt })
  }

  /** Sends one to three copies in parallel, each under its own key. */
  private async sendCopies(route: RouteName, body?: unknown): Promise<void> {
    const copies = this.random.between(1, 3)
    await Promise.all(Array.from({ length: copies }, () => this.send(route, body, this.newKey())))
  }

  private newKey(): string {
    return `torture-${this.visitor.user?.id}-${this.commands++}`
  }

  /** Retries until a response other than 503; the key makes retries take effect once. */
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
          // Some abort early: the response is lost although the command may have taken effect.
          signal: AbortSignal.timeout(this.random.next() < 0.1 ? 15 : REQUEST_LIMIT_MS),
        })
        const answer = await this.record(route, response, await response.text())
        if (response.status !== 503) return answer
        this.tally.unavailable++
      } catch {
        this.tally.lost++
      }
      await sleep(this.random.between(50, 300))
    }
  }

  private async record<R extends RouteName>(
    route: R,
    { status, headers }: Response,
    text: string,
  ): Promise<Answers[R] | undefined> {
    const name = `${status} ${route}`
    this.tally.responses[name] = (this.tally.responses[name] ?? 0) + 1
    try {
      const answer = JSON.parse(text)
      const isInvalid = status === 503 ? typeof answer.message !== 'string' : status >= 500
      if (isInvalid) {
        const error = await this.visitor.product.errorOf?.(headers.get(REQUEST_ID_HEADER) ?? '')
        this.tally.problems.push(`${name}: ${text.slice(0, 200)} ${error ?? ''}`.trimEnd())
      }
      return status === 200 ? answer : undefined
    } catch {
      this.tally.problems.push(`${name} is not JSON: ${text.slice(0, 200)}`)
      return undefined
    }
  }
}
