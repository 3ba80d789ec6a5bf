import type { Tx } from '#db/postgres/statements/transaction'
import { BUCKETS, type BucketRange } from '#rules/buckets'

/** The distributed tables that the rules of the audit read. */
export const COPIED = [
  'wallets',
  'mining_sessions',
  'folded_sessions',
  'mining_stats',
  'wallet_activity',
  'ledger_facts',
  'idempotency_keys',
  'completed_tasks',
  'team_milestones',
  'usdt_rewards',
  'network_counters',
  'inbox',
]

/** The distributed tables that no rule reads. */
export const NOT_COPIED = ['network_hours']

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
