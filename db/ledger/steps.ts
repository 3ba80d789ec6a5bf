import type { Knex } from 'knex'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'

/** Key of the advisory lock that lets one process at a time take a step. */
const MERGE_LOCK = 7_300_102
/** Longest wait for a lock; credits that need the same lock wait behind it. */
export const LOCK_TIMEOUT = '200ms'
/** A lock was not available in time; a deadlock over several nodes of Citus, which ended this transaction. */
const TRIED_LATER = new Set(['55P03', '40P01'])

/**
 * Runs a step that rewrites partitions of the ledger, in a transaction of its own: all progress is in
 * the database, so a process that dies repeats or loses nothing. One process at a time takes a step.
 * @returns what the step did; `waiting` if it has to be tried again later
 */
export async function lockedStep<Step>(
  db: Db,
  step: (tx: Tx) => Promise<Step>,
  config?: Knex.TransactionConfig,
): Promise<Step | 'waiting'> {
  try {
    return await db.transaction(async (tx) => {
      const { rows } = await tx.raw('select pg_try_advisory_xact_lock(?) as locked', [MERGE_LOCK])
      if (!rows[0].locked) return 'waiting'
      await tx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      return step(tx)
    }, config)
  } catch (error) {
    if (TRIED_LATER.has(sqlState(error) ?? '')) return 'waiting'
    throw error
  }
}

/** Takes steps until nothing is left, one has to wait, or `goOn` is false; returns what they did. */
export async function takeSteps<Step extends string>(
  step: () => Promise<Step | undefined>,
  goOn: () => boolean,
): Promise<Step[]> {
  const taken: Step[] = []
  while (goOn()) {
    const done = await step()
    if (done === undefined || done === 'waiting') break
    taken.push(done)
  }
  return taken
}
