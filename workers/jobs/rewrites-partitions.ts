import { isDistributed } from '#db/postgres/connection/layout'
import type { Context } from '#workers/context'

const reported = new WeakSet<Context['db']>()

/**
 * Whether old partitions of the ledger can be rewritten: Citus refuses the triggers that copy late rows
 * meanwhile (decision 29). Logged once a process.
 */
export async function rewritesPartitions({ db, log }: Context): Promise<boolean> {
  if (!(await isDistributed(db))) return true
  if (!reported.has(db)) {
    log.info('Citus: days of the ledger are not rolled up, merged or sealed, sessions not folded')
    reported.add(db)
  }
  return false
}
