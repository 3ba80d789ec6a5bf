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
 * Copies the rows of some buckets, their users and operators' actions on these into temporary tables, which hide
 * those of the same names until the transaction ends: Postgres alone plans statements on them.
 */
export async function copyShard(tx: Tx, range: BucketRange): Promise<void> {
  for (const table of COPIED) {
    const buckets = bucketsSql('bucket', range)
    await tx.raw(
      `create temporary table ${table} on commit drop as select * from ${table} where ${buckets}`,
    )
  }
  for (const [table, member] of [
    ['users', 'id'],
    ['operator_actions', '"userId"'],
  ]) {
    await tx.raw(
      `create temporary table ${table} on commit drop as
       select * from ${table} where ${bucketsSql(`(${member} % ${BUCKETS})`, range)}`,
    )
  }
}
