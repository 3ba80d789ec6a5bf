import type { Knex } from 'knex'

/** Key of the advisory lock that a process holds while it rewrites partitions of the ledger. */
const REWRITE_LOCK = 7_300_102

/**
 * Names of the ledger's partitions, the default one first: a new partition takes rows from it, and
 * they must have what the migration adds.
 */
export async function partitionNames(db: Knex): Promise<string[]> {
  const { rows } = await db.raw(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'wallet_activity'::regclass
     order by c.relname <> 'wallet_activity_default', 1`,
  )
  return rows.map(({ name }: { name: string }) => name)
}

/** Runs `work` while no worker merges or rolls up partitions; waits for a step that is running. */
export async function withoutRewrites(db: Knex, work: () => Promise<void>): Promise<void> {
  await db.transaction(async (lock) => {
    await lock.raw('set local idle_in_transaction_session_timeout = 0')
    // Without a bound value: a bound statement keeps its snapshot, for which indexes would wait.
    await lock.raw(`select pg_advisory_xact_lock(${REWRITE_LOCK})`)
    await work()
  })
}

/**
 * Drops the unfinished copies of partitions that are merged or rolled up, which have the columns of
 * before. The workers begin again.
 */
export async function discardRewrites(tx: Knex.Transaction): Promise<void> {
  const rollups: string[] = await tx('ledger_rollups').whereNull('swappedAt').pluck('partition')
  for (const name of rollups) {
    await tx.raw('drop trigger ?? on ??', ['mirror_to_ledger_late_rows', name])
    await tx.raw('drop trigger ?? on ??', [`mirror_to_${name}_rolled`, name])
    await tx.raw('drop table ??', [`${name}_rolled`])
  }
  await tx('ledger_rollups').whereNull('swappedAt').delete()
  await tx.raw('truncate ledger_late_rows')
  const days: { day: string; month: string }[] = await tx('ledger_merges').select('day', 'month')
  for (const { day } of days) await tx.raw('drop trigger mirror_ledger_row on ??', [day])
  for (const month of await unattachedMonths(tx)) await tx.raw('drop table ??', [month])
  await tx('ledger_merges').delete()
}

/** Tables of months that have not taken the place of their days yet. */
async function unattachedMonths(tx: Knex.Transaction): Promise<string[]> {
  const { rows } = await tx.raw(
    `select relname as name from pg_class
     where relname ~ '^wallet_activity_[0-9]{6}$' and relkind = 'r' and not relispartition`,
  )
  return rows.map(({ name }: { name: string }) => name)
}
