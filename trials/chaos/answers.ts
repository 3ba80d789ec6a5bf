import { setTimeout as sleep } from 'node:timers/promises'
import type { Visitor } from '#gateway/testing/visitor'

const POLL_MS = 100
const ANSWER_LIMIT_MS = 2_000
const GIVE_UP_MS = 60_000

const isAnswered = (visitor: Visitor): Promise<boolean> =>
  visitor.fetch('/api/mining/status', 0, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Seconds until all of them are answered. */
export async function secondsUntilAnswered(visitors: Visitor[]): Promise<number> {
  const start = performance.now()
  for (;;) {
    const answered = await Promise.all(visitors.map(isAnswered))
    if (answered.every(Boolean)) return (performance.now() - start) / 1_000
    if (performance.now() - start > GIVE_UP_MS) return Number.POSITIVE_INFINITY
    await sleep(POLL_MS)
  }
}

/** Asks for the status of these members until the work is done; returns how many requests were not answered. */
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
