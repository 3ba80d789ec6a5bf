import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { addEarlierMembers, postAtEarlierRelease } from '#db/testing/releases/earlier-release'

const PAUSE_MS = 10

/** Durations, ms, of statements that members caused. */
export type Presses = { durations: number[]; stop(): Promise<number[]> }

/**
 * Members of the release before buckets press: each of some connections signs a member up, starts their
 * session and pays a task, again and again, with a short pause. It stops when the keys are replaced,
 * because that release's statements fail from then on.
 */
export function pressButtons(db: Db, connections: number): Presses {
  const durations: number[] = []
  let isOver = false
  let facts = 0
  const timed = async (work: Promise<void>) => {
    const startedAt = performance.now()
    await work
    durations.push(performance.now() - startedAt)
  }
  const lane = async () => {
    while (!isOver) {
      facts += 1
      await timed(addEarlierMembers(db, 1))
      await timed(postAtEarlierRelease(db, `task:0:${Date.now()}-${facts}`))
      await sleep(PAUSE_MS)
    }
  }
  const lanes = Array.from({ length: connections }, () =>
    lane().catch((error) => {
      if (!/bucket|conflict/.test(String(error))) throw error
    }),
  )
  return {
    durations,
    async stop() {
      isOver = true
      await Promise.all(lanes)
      return durations
    },
  }
}
