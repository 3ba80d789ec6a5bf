import type { Knex } from 'knex'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'

/** Work on old rows in steps, each one transaction with its progress: another process continues for one that dies. */
const WORKS = ['archive sessions', 'roll up credits', 'merge partitions', 'seal days'] as const
type Work = (typeof WORKS)[number]

/** Key of the advisory lock that lets one process at a time take a step, of whatever work. */
export const STEP_LOCK = 7_300_102
/** Longest wait for a lock; credits that need the same lock wait behind it. */
export const LOCK_TIMEOUT = '200ms'
/** A lock was not available in time; a deadlock over several nodes of Citus, which ended this transaction. */
export const TRIED_LATER = new Set(['55P03', '40P01'])

/** Counts a step and stores its name, for the metric `maintenance_steps`. */
export async function recordStep(db: Db, work: string, step: string): Promise<void> {
  await db.raw(
    `insert into maintenance_steps (work, steps, "lastStep") values (:work, 1, :step)
     on conflict (work) do update set steps = maintenance_steps.steps + 1,
       "lastStep" = excluded."lastStep", "lastAt" = excluded."lastAt"`,
    { work, step },
  )
}

/** Takes and records a step in one transaction; `waiting` also if another process takes one, undefined at the end. */
export async function takeStep<Name extends string>(
  db: Db,
  work: Work,
  step: (tx: Tx) => Promise<Name | 'waiting' | undefined>,
  config?: Knex.TransactionConfig,
): Promise<Name | 'waiting' | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const { rows } = await tx.raw('select pg_try_advisory_xact_lock(?) as locked', [STEP_LOCK])
      if (!rows[0].locked) return 'waiting'
      await tx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      const taken = await step(tx)
      if (taken !== undefined && taken !== 'waiting') await recordStep(tx, work, taken)
      return taken
    }, config)
  } catch (error) {
    if (TRIED_LATER.has(sqlState(error) ?? '')) return 'waiting'
    throw error
  }
}

/** Takes steps until nothing is left, one has to wait, or `goOn` is false; returns what they did. */
export async function takeSteps<Name extends string>(
  step: () => Promise<Name | 'waiting' | undefined>,
  goOn: () => boolean,
): Promise<Name[]> {
  const taken: Name[] = []
  while (goOn()) {
    const done = await step()
    if (done === undefined || done === 'waiting') break
    taken.push(done)
  }
  return taken
}

/** How many steps of each work were taken, and the last one; nothing of work that never began. */
export type StepRecord = { work: Work; steps: number; lastStep: string; lastAt: Date }

export async function stepRecords(db: Db): Promise<StepRecord[]> {
  return db('maintenance_steps')
    .whereIn('work', WORKS)
    .orderBy('work')
    .select('work', 'steps', 'lastStep', 'lastAt')
}
