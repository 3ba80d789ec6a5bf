import type { Engine } from '#db/engine/engine'
import { postgresMerge } from '#db/ledger/partition-merges/merge-sql'
import { postgresRollUpStep } from '#db/ledger/retention/rollup-steps'
import type { Tx } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { auditSteps } from './audit.ts'
import { readLocked, runForBucket } from './bucket-statements.ts'
import { deleteRows } from './delete-rows.ts'
import {
  lockStarter,
  readRequest,
  readSnapshots,
  startSession,
  stopSession,
} from './member-statements.ts'
import { startAndStop } from './mining-batch.ts'
import { sessionsToSweep, sweepBatch } from './sweep.ts'

/** The bucket of the next session in the order of buckets. */
async function nextBucketToArchive(
  tx: Tx,
  position: { bucket: number; afterId: number },
): Promise<number> {
  const { rows } = await tx.raw(
    `select bucket from mining_sessions where (bucket, id) > (:bucket::smallint, :afterId::bigint)
     order by bucket, id limit 1`,
    position,
  )
  return rows[0]?.bucket ?? BUCKETS
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
}
