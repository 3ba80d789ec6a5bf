import type { Db } from '#db/postgres/transaction'

/**
 * A query for each partition of the ledger, joined by `union all`: Postgres sorts and groups one
 * partition at a time, in little memory and in the CPU's cache.
 * @param leg SQL of one partition, given its name
 */
export function partitionLegs(partitions: string[], leg: (partition: string) => string): string {
  return partitions.map(leg).join(' union all ')
}

/** The ledger's partitions, quoted for SQL; hold a lock on the ledger so that the list stays true. */
export async function ledgerPartitions(db: Db): Promise<string[]> {
  const { rows } = await db.raw(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  return rows.map(({ name }: { name: string }) => name)
}
