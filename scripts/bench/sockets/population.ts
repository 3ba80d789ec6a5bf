import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/transaction'
import { populate } from '#workers/bench/population'

/** Time for which each session runs already: its credits fill a page of activity. */
const RUNNING = '7 hours'

/**
 * Inserts members with a session each that has run for seven hours and was never credited: a workers
 * process then credits the 21 or 22 intervals of each.
 * @returns their ids
 */
export async function populateSessions(db: Db, members: number): Promise<number[]> {
  await populate(db, members)
  // A whole number of intervals less than populate's: the slots of the sessions stay right.
  await db.raw(
    `update mining_sessions set "startTime" = "startTime" - :running::interval,
       "rateSince" = "rateSince" - :running::interval`,
    { running: RUNNING },
  )
  await db.raw('vacuum analyze mining_sessions')
  return db('users').orderBy('id').pluck('id')
}

/** Waits until workers have credited everything that was due five seconds ago. */
export async function creditsCaughtUp(db: Db): Promise<void> {
  const overdue = async () => {
    const { rows } = await db.raw(
      `select count(*)::int as n from mining_sessions
       where active and "startTime" + ("creditedIntervals" + 1) * interval '20 minutes'
         < product_now() - interval '5 seconds'`,
    )
    return rows[0].n as number
  }
  while ((await overdue()) > 0) await sleep(500)
  await db.raw('vacuum analyze')
}
