import { setTimeout as sleep } from 'node:timers/promises'
import { type Answers, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import { REQUEST_ID_HEADER } from '#gateway/http/request-ids'
import type { ClaimResult } from '#rules/snapshots'
import type { MemberSocket, Visitor } from '#scripts/testing/gateway/visitor'
import type { Random } from './random.ts'

export type Claimed = Pick<ClaimResult, 'claimedTesp' | 'claimedUsdt'>

export class Tally {
  /** Number of responses by status and route. */
  responses: Record<string, number> = {}
  /** Requests that were sent again, by status or by the error of the network. */
  retried: Record<string, number> = {}
  /** Answers that no client expects. */
  problems: string[] = []
  /** Acknowledged claims by idempotency key. */
  readonly claims = new Map<string, Claimed>()
  slowestMs = 0
  /** Sockets that were lost, and the longest time of a member without one, ms. */
  socketsLost = 0
  longestAwayMs = 0

  get unavailable(): number {
    return this.retried['503'] ?? 0
  }

  /** Requests without a response, which were sent again. */
  get lost(): number {
    return sum(this.retried) - this.unavailable
  }

  get answers(): number {
    return sum(this.responses)
  }

  /** Returns the figures since the last call; the claims stay. */
  take() {
    const { answers, retried, problems, slowestMs, socketsLost, longestAwayMs } = this
    Object.assign(this, { ...new Tally(), claims: this.claims })
    return { answers, retried, problems, slowestMs, socketsLost, longestAwayMs }
  }
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

const increment = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

type Reply = { response: Response; text: string } | { error: unknown }

export type Habits = {
  /** Routes to choose from; those that occur more often are called more often. */
  routes: readonly RouteName[]
  pauseMs: readonly [number, number]
  /** Most copies of a command that are sent in parallel; if several, a claim has rivals. */
  copies: number
  timeoutMs(random: Random): number
  /** For each command: ms until a request is sent again; undefined if the reply is its answer. */
  retries(random: Random): (reply: Reply) => number | undefined
  problemOf(status: number, text: string): string | undefined
}

/** A task of trials, whose cap members reach together; unknown where no trial has added it. */
export const CAPPED_TASK = { id: 'capped', cap: 25, dailyLimit: 3 }

const TASK_IDS = [
  'follow_twitter',
  'join_telegram',
  'JOIN_TELEGRAM',
  ' join_telegram',
  CAPPED_TASK.id,
]

/** Hurried: duplicates and rivals in parallel, and some requests are aborted early. */
const HURRIED: Habits = {
  routes: [
    ...Array<RouteName>(3).fill('POST /api/mining/start'),
    ...Array<RouteName>(2).fill('POST /api/mining/stop'),
    ...Array<RouteName>(3).fill('POST /api/mining/claim'),
    'POST /api/tasks/complete',
    'POST /api/referral/apply-code',
    'GET /api/referral/check-milestones',
    'GET /api/mining/status',
  ],
  pauseMs: [20, 250],
  copies: 3,
  // The response of an aborted request is lost although the command may have taken effect.
  timeoutMs: (random) => (random.next() < 0.1 ? 15 : 10_000),
  retries: (random) => (reply) =>
    'error' in reply || reply.response.status === 503 ? random.between(50, 300) : undefined,
  problemOf(status, text) {
    try {
      const { message } = JSON.parse(text)
      const isInvalid = status === 503 ? typeof message !== 'string' : status >= 500
      return isInvalid ? text.slice(0, 200) : undefined
    } catch {
      return `is not JSON: ${text.slice(0, 200)}`
    }
  },
}

export class Member {
  private commands = 0

  constructor(
    private readonly visitor: Visitor,
    private readonly members: Visitor[],
    private readonly random: Random,
    private readonly tally: Tally,
    private readonly habits = HURRIED,
  ) {}

  async play(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      await this.act(this.random.pick(this.habits.routes))
      await sleep(this.random.between(...this.habits.pauseMs))
    }
  }

  private async act(route: RouteName): Promise<void> {
    switch (route) {
      case 'POST /api/mining/claim':
        return this.claim()
      case 'POST /api/tasks/complete':
        return this.sendCopies(route, { taskId: this.random.pick(TASK_IDS) })
      case 'POST /api/referral/apply-code':
        return this.applyCode()
      case 'GET /api/mining/status':
        return void (await this.send(route))
      default:
        return this.sendCopies(route)
    }
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
    const isRaced = () => this.habits.copies > 1 && this.random.next() < 0.5
    await Promise.all([
      this.claimUnder(key),
      isRaced() ? this.claimUnder(key) : undefined,
      isRaced() ? this.claimUnder(rival) : undefined,
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

  private async sendCopies(route: RouteName, body?: unknown): Promise<void> {
    const copies = this.random.between(1, this.habits.copies)
    await Promise.all(Array.from({ length: copies }, () => this.send(route, body, this.newKey())))
  }

  private newKey(): string {
    return `trial-${this.visitor.user?.id}-${this.commands++}`
  }

  /** Sends a request until its answer is known; the key makes repetitions take effect once. */
  private async send<R extends RouteName>(
    route: R,
    body?: unknown,
    key = this.newKey(),
  ): Promise<Answers[R] | undefined> {
    const sentAt = performance.now()
    const pauseAfter = this.habits.retries(this.random)
    for (;;) {
      const reply = await this.request(route, key, body)
      const problem = 'error' in reply ? undefined : await this.problemOf(route, reply)
      if (problem) this.tally.problems.push(problem)
      const pauseMs = pauseAfter(reply)
      if (pauseMs === undefined) {
        this.tally.slowestMs = Math.max(this.tally.slowestMs, performance.now() - sentAt)
        return 'error' in reply || !reply.response.ok || problem
          ? undefined
          : JSON.parse(reply.text)
      }
      increment(this.tally.retried, causeOf(reply))
      await sleep(pauseMs)
    }
  }

  private async request(route: RouteName, key: string, body: unknown): Promise<Reply> {
    const { visitor, random } = this
    const gateway = random.between(0, visitor.product.urls.length - 1)
    const [method = '', path = ''] = route.split(' ')
    try {
      const response = await visitor.fetch(path, gateway, {
        method,
        headers: {
          Accept: 'application/json',
          [IDEMPOTENCY_HEADER]: key,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.habits.timeoutMs(random)),
      })
      return { response, text: await response.text() }
    } catch (error) {
      return { error }
    }
  }

  private async problemOf(
    route: RouteName,
    { response: { status, headers }, text }: Exclude<Reply, { error: unknown }>,
  ): Promise<string | undefined> {
    const name = `${status} ${route}`
    increment(this.tally.responses, name)
    const problem = this.habits.problemOf(status, text)
    if (problem === undefined) return undefined
    const id = headers.get(REQUEST_ID_HEADER) ?? ''
    const logged = status >= 500 ? await this.visitor.product.errorOf?.(id) : ''
    return `${name}: ${problem} ${logged ?? ''}`.trimEnd()
  }
}

function causeOf(reply: Reply): string {
  if (!('error' in reply)) return String(reply.response.status)
  if (reply.error instanceof DOMException) return 'no answer'
  return (reply.error as { cause?: { code?: string } }).cause?.code ?? 'cut off'
}

/** Pause after the gateway has closed or rejected a socket, ms; as in the client. */
const REJECTED_PAUSE_MS = 5_000

/** The member's live connection, which reconnects as the client's does until it is disconnected. */
export function openSocket(visitor: Visitor, tally = new Tally()): MemberSocket {
  const socket = visitor.socket()
  socket.io.reconnection(true)
  socket.io.reconnectionDelay(1_000)
  socket.io.reconnectionDelayMax(15_000)
  socket.io.randomizationFactor(0.6)
  let awaySince: number | undefined = performance.now()
  let isClosed = false
  const retryRejected = () => {
    if (socket.active || isClosed) return
    setTimeout(() => socket.connect(), REJECTED_PAUSE_MS * (0.5 + Math.random()))
  }
  socket.on('connect', () => {
    if (awaySince !== undefined) {
      tally.longestAwayMs = Math.max(tally.longestAwayMs, performance.now() - awaySince)
    }
    awaySince = undefined
  })
  socket.on('disconnect', (reason) => {
    isClosed = reason === 'io client disconnect'
    if (isClosed) return
    awaySince = performance.now()
    tally.socketsLost++
    retryRejected()
  })
  socket.on('connect_error', retryRejected)
  return socket
}
