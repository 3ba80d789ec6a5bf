import type { Db } from '#db/postgres/statements/transaction'

const waitingFor = (locktype: 'transactionid' | 'advisory') => async (db: Db) => {
  const { rows } = await db.raw(
    `select count(*) as waiting from pg_locks join pg_stat_activity using (pid)
     where not granted and locktype = ? and datname = current_database()`,
    [locktype],
  )
  return Number(rows[0].waiting)
}

/** Number of statements in this database that wait for a row which another transaction has locked. */
export const waitingForRows = waitingFor('transactionid')

/** Number of statements that wait for the lock of a member, or another advisory lock. */
export const waitingForMembers = waitingFor('advisory')
