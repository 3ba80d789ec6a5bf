import { setTimeout as sleep } from 'node:timers/promises'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { INTERVAL_MS } from '#rules/constants'

/** Uncredited intervals of each session: their credits fill a page of activity. */
const INTERVALS = 21

/**
 * Inserts members with a session each that has run for seven hours and was never credited: a workers
 * process then credits its intervals. The next ones fall due evenly over 20 minutes.
 * @returns their ids
 */
export async function populateSessions(db: Db, members: number): Promise<number[]> {
  const ids = await insertMembers(db, members)
  const now = await productNow(db)
  const sessions = ids.map((userId, n) => ({
    userId,
    startedAt: startedBefore(now, INTERVALS, Math.floor((n * INTERVAL_MS) / members)),
  }))
  await insertSessions(db, sessions)
  await db.raw('vacuum analyze')
  return ids
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
