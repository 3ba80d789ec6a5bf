import type { Tx } from '#db/postgres/statements/transaction'
import { BUCKETS, type BucketRange } from '#rules/buckets'
import { DISTRIBUTED } from './distribute.ts'

/** The distributed tables but the one that no rule of the audit reads. */
const COPIED = DISTRIBUTED.filter((table) => table !== 'network_hours')

/** The buckets as values: Citus then reads one shard. */
export function bucketsSql(column: string, { first, last, list }: BucketRange): string {
  if (list) return `${column} = any('{${list.join(',')}}'::smallint[])`
  return `${column} between ${first} and ${last}`
}

/**
 * Copies the rows of some buckets, and their users, into temporary tables of the same names, which hide
 * the distributed ones until the transaction ends. Statements on them are planned by Postgres alone.
 */
export async function copyShard(tx: Tx, range: BucketRange): Promise<void> {
  for (const table of COPIED) {
    const buckets = bucketsSql('bucket', range)
    await tx.raw(
      `create temporary table ${table} on commit drop as select * from ${table} where ${buckets}`,
    )
  }
  await tx.raw(
    `create temporary table users on commit drop as
     select * from users where ${bucketsSql(`(id % ${BUCKETS})`, range)}`,
  )
}
