import type { Engine } from '#db/engine/engine'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import { inTransaction } from '#db/postgres/statements/transaction'

/** The `Engine` of Citus: a coordinator with the users, and nodes with the buckets (decision 29). */

export { auditShards as audit } from './audit.ts'
export {
  distributeLedger as completeSchema,
  isDistributed as isSchemaComplete,
} from './distribute.ts'
export {
  lockStarter,
  readRequest,
  readSnapshots,
  startSession,
  stopSession,
} from './member-statements.ts'
export * as merge from './partition-merge.ts'
export { identifyPartitions, isCommitInDoubt } from './partition-merge.ts'
export { isPartlyRolledUp, shardRollUpStep as rollUpStep } from './roll-up.ts'
export { logPollChange, readLocked, runForBucket } from './run-on-shard.ts'
export {
  rangesToSweep,
  rangesToSweep as rangesOfStatement,
  sessionsToSweep,
  sweepBatch,
} from './sweep.ts'

export const failsByMember = true

/** Members of several nodes in one transaction would need a commit in two phases. */
export const startAndStop: Engine['startAndStop'] = async (_db, commands) =>
  commands.map(() => undefined)

/** A query for the next one would ask every node. */
export const nextBucketToArchive: Engine['nextBucketToArchive'] = async (_tx, { bucket }) => bucket

/** A `ctid` names a row of one shard only, so the rows are not deleted in batches. */
export const deleteRows: Engine['deleteRows'] = (db, table, condition) =>
  inTransaction(db, async (tx) => {
    await withoutTimeLimit(tx)
    return (await tx.raw(`delete from ${table} where ${condition}`)).rowCount
  })
