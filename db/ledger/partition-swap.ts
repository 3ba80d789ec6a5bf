import { type Db, inSnapshot, type Tx } from '#db/postgres/statements/transaction'

/**
 * Reads in one snapshot. It follows the lock: a partition that takes the place of others after the snapshot
 * and before the ledger is read would seem empty. A primary also asks `olderSnapshotExists`; a replica
 * cannot.
 */
export function inLedgerSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await tx.raw('lock table wallet_activity in access share mode')
    return read(tx)
  })
}

/**
 * True if a snapshot is in use that is older than a transaction, such as that of an export or a
 * backup. It would miss the rows that the transaction copied, if they took the place of the original.
 * Processes without a user, as autovacuum, which may take hours, answer nobody. Their `backend_type` is hidden
 * from roles without `pg_read_all_stats`.
 * @param xid the transaction's `xid8` as text; one that is to come was copied by the server of a backup
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

/**
 * Makes a partition refuse a credit whose interval is part of a rolled-up row, with SQLSTATE 23505 as
 * the primary key refuses an id that exists. For partitions of the past, where hardly a row arrives.
 */
export async function refuseRolledCredits(tx: Tx, partition: string): Promise<void> {
  await tx.raw(
    `create trigger refuse_rolled_credit before insert on ?? for each row
       when (new.id like 'credit:%' and new.id not like '%-%')
       execute function refuse_rolled_credit()`,
    [partition],
  )
}
