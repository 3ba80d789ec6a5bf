import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/transaction'
import { populate } from '#workers/bench/population'

/** Credited intervals of each session at first: a full page of activity. */
const INTERVALS = 21

/**
 * Inserts members whose sessions have run for seven hours; a workers process then credits their
 * intervals, so that each has a full page of activity.
 * @returns their ids
 */
export async function populateSessions(db: Db, members: number): Promise<number[]> {
  await populate(db, members)
  await db.raw(
    `update mining_sessions set "startTime" = "startTime" - :shift::interval,
       "rateSince" = "rateSince" - :shift::interval`,
    { shift: `${INTERVALS * 20} minutes` },
  )
  await db.raw('vacuum analyze mining_sessions')
  return db('users').orderBy('id').pluck('id')
}

/** Waits until a workers process has credited what was due at the start. */
export async function creditsCaughtUp(db: Db, members: number): Promise<void> {
  const wanted = members * (INTERVALS + 1)
  const credited = async () => {
    const { rows } = await db.raw('select sum("creditedIntervals")::int as n from mining_sessions')
    return rows[0].n as number
  }
  while ((await credited()) < wanted) await sleep(500)
}
