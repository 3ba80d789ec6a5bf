import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { repeating, until } from './until.ts'

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
  const stop = repeating(async () => {
    const answered = await Promise.all(visitors.map(isAnswered))
    count += answered.filter((one) => !one).length
  }, POLL_MS)
  await work().finally(stop)
  return count
}

function probe(member: Visitor, gateway: number) {
  const answeredAt: number[] = []
  let sent = 0
  const sendNext = async () => {
    const command = sent++ % 2 ? 'stop' : 'start'
    const headers = { [IDEMPOTENCY_HEADER]: randomUUID() }
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const answer = await member
      .fetch(`/api/mining/${command}`, gateway, { method: 'POST', headers, signal })
      .catch(() => undefined)
    // 409: the session was active already, or not any more.
    if (answer?.status === 200 || answer?.status === 409) answeredAt.push(Date.now())
  }
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
    stop: repeating(sendNext, POLL_MS),
  }
}

export type Prober = Awaited<ReturnType<typeof startProber>>

/** Measures for how long commands are not answered, at each gateway with different members. */
export async function startProber(product: ServedProduct, membersOfGateway: number) {
  const gateways = product.urls.flatMap((_, n) => Array<number>(membersOfGateway).fill(n))
  const members = await Promise.all(gateways.map(() => newMember(product)))
  const probes = members.map((member, n) => probe(member, gateways[n] ?? 0))
  return {
    answers: () => Promise.all(probes.map((one) => one.answers())),
    longestGap: (since: number) => Math.max(...probes.map((one) => one.longestGap(since))),
    stop: () => Promise.all(probes.map((one) => one.stop())),
  }
}
