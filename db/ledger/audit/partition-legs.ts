import type { Db } from '#db/postgres/statements/transaction'

/** A partition of the ledger: its name, quoted for SQL, and whether it may hold rolled-up rows. */
export type Partition = { name: string; isRolledUp: boolean }

/**
 * A query for each partition of the ledger, joined by `union all`: Postgres sorts and groups one
 * partition at a time, in little memory and in the CPU's cache.
 * @param leg SQL of one partition
 */
export function partitionLegs(
  partitions: Partition[],
  leg: (partition: Partition) => string,
): string {
  return partitions.map(leg).join(' union all ')
}

/**
 * The ledger's partitions; hold a lock on the ledger so that the list stays true. Days are rolled up
 * before they are merged, so a longer partition may hold rolled-up rows (decision 20).
 */
export async function ledgerPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await db.raw(
    `select inhrelid::regclass::text as name, c.relname ~ '_[0-9]{3,7}$' or exists (
       select from ledger_rollups r where r.partition = c.relname and r."swappedAt" is not null
     ) as "isRolledUp"
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  return rows
}
