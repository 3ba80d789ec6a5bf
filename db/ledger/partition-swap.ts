import { type Db, inSnapshot, type Tx } from '#db/postgres/statements/transaction'

/**
 * Reads in one snapshot, taken after the lock: a partition that was swapped in between would seem empty. On the
 * primary, swaps also wait for older snapshots (`olderSnapshotExists`); they do not see those of a replica.
 */
export function inLedgerSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await tx.raw('lock table wallet_activity in access share mode')
    return read(tx)
  })
}

/**
 * Whether a snapshot in use, as of an export or a backup, is older than a transaction: it would miss the rows that
 * the transaction copied, once they replace the originals. Autovacuum, which may take hours, answers nobody; it has
 * no user, and its `backend_type` is hidden from roles without `pg_read_all_stats`.
 * @param xid the transaction's `xid8` as text; one in the future comes from the server of a restored backup
 */
export async function olderSnapshotExists(tx: Tx, xid: string): Promise<boolean> {
  const { rows } = await tx.raw(
    `select exists (
       select from pg_stat_activity a
       where a.datname = current_database() and a.pid <> pg_backend_pid()
         and a.usesysid is not null
         and age(a.backend_xmin) >= age(:copied::xid8::xid)
     ) and :copied::xid8 < pg_snapshot_xmax(pg_current_snapshot()) as found`,
    { copied: xid },
  )
  return rows[0].found
}

/** Makes a past partition reject a credit that a rolled-up row covers, with 23505 as the primary key does. */
export async function refuseRolledCredits(tx: Tx, partition: string): Promise<void> {
  await tx.raw(
    `create trigger refuse_rolled_credit before insert on ?? for each row
       when (new.id like 'credit:%' and new.id not like '%-%')
       execute function refuse_rolled_credit()`,
    [partition],
  )
}
