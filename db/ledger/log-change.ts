import { isDistributed } from '#db/postgres/connection/layout'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'

/** In `member_changes`: a change that concerns all members. */
export const ALL_MEMBERS = 0

/** Changes above which they count as a change of all members: bounds what the gateways read. */
export const MOST_CHANGES = 10_000

const LOG_SQL = `insert into member_changes ("userId") select * from unnest(:logged::integer[])`

/**
 * Logs a change of what the status of members shows, in the transaction that makes it (decision 17).
 * Only on Citus, which refuses the triggers that log it elsewhere.
 */
export async function logChange(db: Db, ...memberIds: number[]): Promise<void> {
  if (memberIds.length === 0 || !(await isDistributed(db))) return
  const logged = memberIds.length > MOST_CHANGES ? [ALL_MEMBERS] : memberIds
  await prepared(db, 'log-change', LOG_SQL, { logged })
}
