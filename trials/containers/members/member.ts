import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { newIdempotencyKey, retryPauses } from '#client/commands/retry.ts'
import { ApiError, errorOf, mayHaveWorked, REQUEST_TIMEOUT_MS } from '#client/data/api.ts'
import { SOCKET_PATH } from '#contract/events'
import { type Answers, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import type { Visitor } from '#gateway/testing/visitor'
import type { Random } from '#trials/torture/random'
import type { Tally } from './tally.ts'

const ACTIONS = [
  'POST /api/mining/start',
  'POST /api/mining/start',
  'POST /api/mining/stop',
  'POST /api/mining/claim',
  'POST /api/mining/claim',
  'POST /api/tasks/complete',
  'GET /api/mining/status',
  'GET /api/wallet',
  'GET /api/referral/info',
] as const satisfies RouteName[]

const BODIES: Partial<Record<RouteName, unknown>> = {
  'POST /api/tasks/complete': { taskId: 'join_telegram' },
}

/** Pause after the gateway has closed or rejected a socket, as in `client/live/socket/socket.ts`; ms. */
const REJECTED_PAUSE_MS = 5_000

/** What a request got instead of an answer. */
function causeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof DOMException) return 'no answer'
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code ?? 'cut off'
}

/** A member with one page open, who presses random buttons. Requests are repeated by the client's rules. */
export class Member {
  private isRunning = true
  private awaySince: number | undefined = performance.now()
  private readonly socket

  constructor(
    private readonly visitor: Visitor,
    private readonly random: Random,
    private readonly tally: Tally,
  ) {
    const { product, jar } = visitor
    const [origin = ''] = product.urls
    this.socket = io(origin, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      forceNew: true,
      // As in client/live/live.ts.
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 15_000,
      randomizationFactor: 0.6,
      timeout: 10_000,
      extraHeaders: { Origin: origin, Cookie: jar.header() ?? '' },
    })
    this.followSocket()
  }

  get isLive(): boolean {
    return this.socket.connected
  }

  async play(): Promise<void> {
    while (this.isRunning) {
      const route = this.random.pick(ACTIONS)
      await this.press(route, BODIES[route])
      await sleep(this.random.between(300, 1_200))
    }
  }

  /** No more presses; the one under way is repeated until it is answered. */
  stop(): void {
    this.isRunning = false
  }

  leave(): void {
    this.socket.disconnect()
  }

  private followSocket(): void {
    const { socket } = this
    const retryRejected = () => {
      if (socket.active || !this.isRunning) return
      setTimeout(() => socket.connect(), REJECTED_PAUSE_MS * (0.5 + Math.random()))
    }
    socket.on('connect', () => {
      if (this.awaySince !== undefined) this.tally.away(performance.now() - this.awaySince)
      this.awaySince = undefined
    })
    socket.on('disconnect', () => {
      this.awaySince = performance.now()
      if (this.isRunning) this.tally.figures.socketsLost++
      retryRejected()
    })
    socket.on('connect_error', retryRejected)
  }

  /** Sends a request until its outcome is known, as the client's command queue does. */
  private async press(route: RouteName, body?: unknown): Promise<void> {
    const key = newIdempotencyKey()
    const pressedAt = performance.now()
    const retries = retryPauses()
    let hasWaited = false
    for (;;) {
      try {
        this.tally.answered(route, key, await this.send(route, key, body))
        break
      } catch (error) {
        if (!mayHaveWorked(error)) {
          this.tally.refused(route, error)
          break
        }
        this.tally.retried(causeOf(error))
        if (retries.isUsedUp() && !hasWaited) {
          hasWaited = true
          this.tally.figures.waited++
        }
        await sleep(retries.next(error))
      }
    }
    this.tally.ended(performance.now() - pressedAt)
  }

  private async send<R extends RouteName>(
    route: R,
    key: string,
    body?: unknown,
  ): Promise<Answers[R]> {
    const [method = '', path = ''] = route.split(' ')
    const hasBody = body !== undefined
    const response = await this.visitor.fetch(path, 0, {
      method,
      headers: {
        Accept: 'application/json',
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(method === 'POST' && { [IDEMPOTENCY_HEADER]: key }),
      },
      ...(hasBody && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.ok) throw errorOf(response, text)
    return JSON.parse(text) as Answers[R]
  }
}
