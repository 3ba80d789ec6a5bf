import type { Db } from '#db/postgres/statements/transaction'

/** Number of statements in this database that wait for a row which another transaction has locked. */
export async function waitingForRows(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select count(*) as waiting from pg_locks join pg_stat_activity using (pid)
     where not granted and locktype = 'transactionid' and datname = current_database()`,
  )
  return rows[0].waiting
}
