import type { MergeSql } from '#db/ledger/partition-merges/merge-sql'
import { copyBuckets, createShardedMonth, mirrorShards } from './copy-buckets.ts'
import { isSeenOnNodes } from './node-snapshots.ts'
import { swapShards } from './swap-shards.ts'
import { verifyShards } from './verify-shards.ts'

/** The steps of a merge on Citus: the same as those of plain Postgres, on every shard (decision 29). */
export const citusMerge: MergeSql = {
  createMonth: createShardedMonth,
  mirrorSource: mirrorShards,
  copyChunk: copyBuckets,
  verifyMonth: verifyShards,
  isSeenByAll: isSeenOnNodes,
  swapMonth: swapShards,
}
