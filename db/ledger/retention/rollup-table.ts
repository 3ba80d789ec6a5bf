import { refuseRolledCredits } from '#db/ledger/partition-swap'
import type { Period } from '#db/ledger/partitions'
import type { Tx } from '#db/postgres/statements/transaction'
import { rolledName } from './ledger-partition.ts'

/** Bytes of a partition that one pass rolls up: about 16 million credits, a minute or less. */
const PASS_BYTES = 2 * 1024 ** 3

/**
 * Creates the table that will take the place of a partition, without indexes. Its bounds are a constraint, so that
 * attaching it reads no rows. From the commit on, a row that arrives in the partition is written into the new table
 * too, and into `ledger_late_rows`, by which the passes know that they must not read it.
 */
export async function beginRollup(tx: Tx, partition: Period): Promise<void> {
  const { name, from, to } = partition
  const rolled = rolledName(partition)
  await tx.raw('create table ?? (like wallet_activity including defaults including constraints)', [
    rolled,
  ])
  await tx.raw(
    `alter table ?? add constraint rolled_bounds
       check ("createdAt" >= '${from}' and "createdAt" < '${to}')`,
    [rolled],
  )
  for (const copy of ['ledger_late_rows', rolled]) {
    await tx.raw(
      `create trigger ?? after insert or update or delete on ??
         for each row execute function mirror_ledger_row('${copy}')`,
      [`mirror_to_${copy}`, name],
    )
  }
  await tx.raw(
    `insert into ledger_rollups (partition, passes, "bytesBefore") values (:name,
       greatest(1, ceil(pg_relation_size(:name::regclass) / :bytes::numeric)),
       pg_total_relation_size(:name::regclass))`,
    { name, bytes: PASS_BYTES },
  )
}

/** Builds the ledger's indexes, dense, because hardly a row arrives later. A late row waits for it. */
export async function indexRollup(tx: Tx, partition: Period): Promise<void> {
  const rolled = rolledName(partition)
  await tx.raw('create unique index ?? on ?? (bucket, id, "createdAt") with (fillfactor = 100)', [
    `${rolled}_key`,
    rolled,
  ])
  await tx.raw(
    'create index ?? on ?? (bucket, "userId", "createdAt" desc, seq desc) with (fillfactor = 100)',
    [`${rolled}_newest`, rolled],
  )
  await tx.raw('analyze ??', [rolled])
  await tx('ledger_rollups').where({ partition: partition.name }).update({ isIndexed: true })
}

/** Replaces the partition by its rolled-up table in one short transaction; users of the ledger wait for it. */
export async function swapRollup(tx: Tx, partition: Period): Promise<void> {
  const { name, from, to } = partition
  const rolled = rolledName(partition)
  await tx.raw('lock table only wallet_activity in access exclusive mode')
  await tx.raw('alter table wallet_activity detach partition ??', [name])
  await tx.raw(
    `alter table wallet_activity attach partition ?? for values from ('${from}') to ('${to}')`,
    [rolled],
  )
  await tx.raw('alter table ?? drop constraint rolled_bounds', [rolled])
  await tx.raw('drop table ??', [name])
  await tx.raw('alter table ?? rename to ??', [rolled, name])
  for (const index of ['key', 'newest']) {
    await tx.raw('alter index ?? rename to ??', [`${rolled}_${index}`, `${name}_${index}`])
  }
  await refuseRolledCredits(tx, name)
  await tx('ledger_late_rows').where('createdAt', '>=', from).where('createdAt', '<', to).delete()
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({
      swappedAt: tx.fn.now(),
      bytesAfter: tx.raw('pg_total_relation_size(?::regclass)', [name]),
    })
}
