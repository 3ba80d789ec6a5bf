import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import type { Product } from '#scripts/testing/gateway/product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { until } from './until.ts'

const POLL_MS = 100
const ANSWER_LIMIT_MS = 2_000

const isAnswered = (visitor: Visitor): Promise<boolean> =>
  visitor.fetch('/api/mining/status', 0, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Infinite after a minute. */
export async function secondsUntilAnswered(visitors: Visitor[]): Promise<number> {
  const start = performance.now()
  const areAnswered = async () => (await Promise.all(visitors.map(isAnswered))).every(Boolean)
  return until('every member is answered', areAnswered).then(
    () => (performance.now() - start) / 1_000,
    () => Number.POSITIVE_INFINITY,
  )
}

export async function unansweredDuring(
  visitors: Visitor[],
  work: () => Promise<unknown>,
): Promise<number> {
  let count = 0
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const answered = await Promise.all(visitors.map(isAnswered))
      count += answered.filter((one) => !one).length
      await sleep(POLL_MS)
    }
  })()
  await work().finally(() => {
    isDone = true
  })
  await asking
  return count
}

function probe(member: Visitor, gateway: number) {
  const answeredAt: number[] = []
  let isRunning = true
  const isCommandAnswered = async (path: string) => {
    const headers = { [IDEMPOTENCY_HEADER]: randomUUID() }
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const answer = await member
      .fetch(path, gateway, { method: 'POST', headers, signal })
      .catch(() => undefined)
    // 409: the session was active already, or not any more.
    return answer?.status === 200 || answer?.status === 409
  }
  const running = (async () => {
    for (let n = 0; isRunning; n++) {
      const path = n % 2 ? '/api/mining/stop' : '/api/mining/start'
      if (await isCommandAnswered(path)) answeredAt.push(Date.now())
      await sleep(POLL_MS)
    }
  })()
  return {
    /** Longest time without an answer between `since` and the last answer, ms. */
    longestGap(since: number): number {
      const first = answeredAt.findIndex((at) => at >= since)
      if (first < 0) return Number.POSITIVE_INFINITY
      const times = [answeredAt[first - 1] ?? since, ...answeredAt.slice(first)]
      return Math.max(...times.slice(1).map((at, n) => at - Math.max(since, times[n] ?? 0)))
    },
    /** Waits for an answer to a command that is sent from now on. */
    async answers(): Promise<void> {
      const since = Date.now()
      // A command that was sent before is answered within its limit.
      while ((answeredAt.at(-1) ?? 0) < since + POLL_MS) await sleep(POLL_MS)
    },
    async stop(): Promise<void> {
      isRunning = false
      await running
    },
  }
}

/** Measures for how long commands are not answered, at each gateway with different members. */
export class Prober {
  private constructor(private readonly gateways: ReturnType<typeof probe>[]) {}

  static async start(product: Product, membersOfGateway = 1): Promise<Prober> {
    const gateways = product.urls.flatMap((_, n) => Array<number>(membersOfGateway).fill(n))
    const members = await Promise.all(gateways.map(() => newMember(product)))
    return new Prober(members.map((member, n) => probe(member, gateways[n] ?? 0)))
  }

  async answers(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.answers()))
  }

  longestGap(since: number): number {
    return Math.max(...this.gateways.map((gateway) => gateway.longestGap(since)))
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()))
  }
}
