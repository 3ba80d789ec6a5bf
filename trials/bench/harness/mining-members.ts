import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMembers } from '#db/testing/members'
import { insertSessions } from '#db/testing/sessions'
import { INTERVAL_MS } from '#rules/constants'

/**
 * Inserts members who mine since less than one interval, so that nothing is due and a status does not
 * change by a credit while it is measured. The audit holds on them.
 * @returns their ids
 */
export async function insertMiningMembers(db: Db, count: number): Promise<number[]> {
  const ids = await insertMembers(db, count)
  const now = await productNow(db)
  const sessions = ids.map((userId, n) => ({
    userId,
    startedAt: now - Math.floor((n * INTERVAL_MS) / 2 / count) - 1_000,
  }))
  await insertSessions(db, sessions)
  await db.raw('vacuum analyze')
  return ids
}
