import type { Engine } from '#db/engine/engine'
import { postgresMerge } from '#db/ledger/partition-merges/merge-sql'
import { postgresRollUpStep } from '#db/ledger/retention/rollup-steps'
import { ALL_BUCKETS, BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { auditSteps } from './audit.ts'
import { readLocked, runForBucket } from './bucket-statements.ts'
import {
  lockStarter,
  readRequest,
  readSnapshots,
  startSession,
  stopSession,
} from './member-statements.ts'
import { startAndStop } from './mining-batch.ts'
import { sessionsToSweep, sweepBatch } from './sweep.ts'

const nextBucketToArchive: Engine['nextBucketToArchive'] = async (tx, position) => {
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
const deleteRows: Engine['deleteRows'] = async (db, table, condition) => {
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

/** Plain PostgreSQL: one server, which runs all steps of a change in one statement. */
export const postgresEngine: Engine = {
  runForBucket,
  readLocked,
  logPollChange: async () => {},
  readRequest,
  lockStarter,
  startSession,
  stopSession,
  startAndStop,
  readSnapshots,
  failsByMember: false,
  rangesToSweep: async () => SWEEP_RANGES,
  rangesOfStatement: async () => [ALL_BUCKETS],
  sweepBatch,
  sessionsToSweep,
  audit: auditSteps,
  rollUpStep: postgresRollUpStep,
  isPartlyRolledUp: async () => false,
  isCommitInDoubt: async () => false,
  merge: postgresMerge,
  nextBucketToArchive,
  deleteRows,
  identifyPartitions: async () => {},
  completeSchema: async () => {},
  isSchemaComplete: async () => true,
}
