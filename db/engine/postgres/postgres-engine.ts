import type { Engine } from '#db/engine/engine'
import { ALL_BUCKETS, BUCKETS, SWEEP_RANGES } from '#rules/buckets'

/** The `Engine` of plain PostgreSQL: one server, which runs all steps of a change in one statement. */

export * as merge from '#db/ledger/partition-merges/merge-sql'
export { postgresRollUpStep as rollUpStep } from '#db/ledger/retention/rollup-steps'
export { auditSteps as audit } from './audit.ts'
export { readLocked, runForBucket } from './bucket-statements.ts'
export {
  lockStarter,
  readRequest,
  readSnapshots,
  startSession,
  stopSession,
} from './member-statements.ts'
export { startAndStop } from './mining-batch.ts'
export { sessionsToSweep, sweepBatch } from './sweep.ts'

export const failsByMember = false
export const logPollChange = async () => {}
export const rangesToSweep = async () => SWEEP_RANGES
export const rangesOfStatement = async () => [ALL_BUCKETS]
export const isPartlyRolledUp = async () => false
export const isCommitInDoubt = async () => false
export const identifyPartitions = async () => {}
export const completeSchema = async () => {}
export const isSchemaComplete = async () => true

export const nextBucketToArchive: Engine['nextBucketToArchive'] = async (tx, position) => {
  const { rows } = await tx.raw(
    `select bucket from mining_sessions where (bucket, id) > (:bucket::smallint, :afterId::bigint)
     order by bucket, id limit 1`,
    position,
  )
  return rows[0]?.bucket ?? BUCKETS
}

/** Rows of a statement, which ends well within the pool's limit. */
const BATCH = 10_000
/** Batches of a call, so that neither other work nor a shutdown waits for millions of rows. */
const MOST_BATCHES = 50

/** Deletes in batches. The condition is checked again, because somebody may have changed a row meanwhile. */
export const deleteRows: Engine['deleteRows'] = async (db, table, condition) => {
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
