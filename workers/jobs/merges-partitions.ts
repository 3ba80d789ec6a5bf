import { isDistributed } from '#db/postgres/connection/layout'
import type { Context } from '#workers/context'

const reported = new WeakSet<Context['db']>()

/**
 * Whether old partitions of the ledger can be merged: Citus refuses the triggers that copy late rows
 * meanwhile (decision 29). Logged once a process.
 */
export async function mergesPartitions({ db, log }: Context): Promise<boolean> {
  if (!(await isDistributed(db))) return true
  if (!reported.has(db)) {
    log.info('Citus: old partitions of the ledger are not merged, each day keeps its own')
    reported.add(db)
  }
  return false
}
