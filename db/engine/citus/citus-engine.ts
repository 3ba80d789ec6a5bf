import type { Engine } from '#db/engine/engine'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import { inTransaction } from '#db/postgres/statements/transaction'
import { auditShards } from './audit.ts'
import { distributeLedger, isDistributed } from './distribute.ts'
import {
  lockStarter,
  readRequest,
  readSnapshots,
  startSession,
  stopSession,
} from './member-statements.ts'
import { citusMerge, isCommitInDoubt } from './partition-merge.ts'
import { identifyPartitions } from './replica-identity.ts'
import { isPartlyRolledUp, shardRollUpStep } from './roll-up.ts'
import { logPollChange, readLocked, runForBucket } from './run-on-shard.ts'
import { rangesToSweep, sessionsToSweep, sweepBatch } from './sweep.ts'

/** Citus: a coordinator with the users, and nodes with the buckets (decision 29). */
export const citusEngine: Engine = {
  runForBucket,
  readLocked,
  logPollChange,
  readRequest,
  lockStarter,
  startSession,
  stopSession,
  // Members of several nodes in one transaction would need a commit in two phases.
  startAndStop: async (_db, commands) => commands.map(() => undefined),
  readSnapshots,
  failsByMember: true,
  rangesToSweep,
  rangesOfStatement: rangesToSweep,
  sweepBatch,
  sessionsToSweep,
  audit: auditShards,
  rollUpStep: shardRollUpStep,
  isPartlyRolledUp,
  isCommitInDoubt,
  merge: citusMerge,
  // A query for the next one would ask every node.
  nextBucketToArchive: async (_tx, { bucket }) => bucket,
  // A `ctid` names a row of one shard only, so the rows are not deleted in batches.
  deleteRows: (db, table, condition) =>
    inTransaction(db, async (tx) => {
      await withoutTimeLimit(tx)
      return (await tx.raw(`delete from ${table} where ${condition}`)).rowCount
    }),
  identifyPartitions,
  completeSchema: distributeLedger,
  isSchemaComplete: isDistributed,
}
