import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'

const EVERY_MS = 5

/**
 * Samples for how long each backend waits for a lock of a table; a wait counts with its longest
 * sample. Waits shorter than a few ms may be missed.
 */
export function watchLockWaits(db: Db) {
  const longest = new Map<string, number>()
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await db.raw(
        `select pid || ':' || extract(epoch from waitstart) as wait,
           (extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms
         from pg_locks join pg_stat_activity using (pid)
         where not granted and locktype = 'relation' and waitstart is not null
           and application_name = 'presses'`,
      )
      for (const { wait, ms } of rows as { wait: string; ms: number }[]) {
        longest.set(wait, Math.max(ms, longest.get(wait) ?? 0))
      }
      await sleep(EVERY_MS)
    }
  })()
  return {
    async stop(): Promise<number[]> {
      isOver = true
      await watching
      return [...longest.values()]
    },
  }
}
