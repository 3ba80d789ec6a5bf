import type { Db } from '#db/postgres/statements/transaction'

/** Rows of a statement, which ends well within the pool's limit. */
const BATCH = 10_000
/** Batches of a call, so that neither other work nor a shutdown waits for millions of rows. */
const MOST_BATCHES = 50

/**
 * Deletes rows in batches; what is left is deleted by the next call.
 * @param condition trusted SQL. A row that somebody changes meanwhile is checked by it again.
 */
export async function deleteRows(db: Db, table: string, condition: string): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const { rowCount } = await db.raw(
      `delete from ${table} where (${condition}) and ctid = any(array(
         select ctid from ${table} where ${condition} limit ${BATCH}))`,
    )
    deleted += rowCount
    if (rowCount < BATCH) break
  }
  return deleted
}
