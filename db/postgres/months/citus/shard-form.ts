import type { MergeForm } from '#db/postgres/months/merge-form'
import { copyBuckets, createShardedSpan, mirrorShards } from './copy-buckets.ts'
import { isSeenOnNodes } from './node-snapshots.ts'
import { swapShards } from './swap-shards.ts'
import { verifyShards } from './verify-shards.ts'

/** The steps of a merge on Citus: the same as those of plain Postgres, on every shard (decision 29). */
export const SHARD_FORM: MergeForm = {
  createSpan: createShardedSpan,
  mirrorSource: mirrorShards,
  copyChunk: copyBuckets,
  verifySpan: verifyShards,
  isSeenByAll: isSeenOnNodes,
  swapSpan: swapShards,
}
