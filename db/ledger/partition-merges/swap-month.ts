import { refuseRolledCredits } from '#db/ledger/retention/refuse-rolled-credits'
import type { Period } from '#db/postgres/schema/partition-period'
import type { Tx } from '#db/postgres/statements/transaction'
import { mergeRollups } from './merge-rollups.ts'
import type { Merge } from './next-merge.ts'
import { olderSnapshotExists } from './older-snapshot.ts'

/** The last transaction that copied rows into the month, as text. */
async function lastCopy(tx: Tx, into: Period): Promise<string> {
  const { rows } = await tx.raw(
    'select max("copiedBy"::text::bigint)::text as xid from ledger_merges where month = ?',
    [into.name],
  )
  return rows[0].xid
}

/** Whether every snapshot in use sees the rows that were copied into the month. */
export async function isSeenByAll(tx: Tx, { into }: Merge): Promise<boolean> {
  return !(await olderSnapshotExists(tx, await lastCopy(tx, into)))
}

/**
 * Puts the month in the place of its sources, in one short transaction: readers and writers of the
 * ledger wait for it. Rows of the month that were in the default partition move too.
 */
export async function swapMonth(tx: Tx, merge: Merge): Promise<void> {
  const { into, sources } = merge
  const { name, from, to } = into
  await tx.raw('lock table only wallet_activity in access exclusive mode')
  for (const source of sources) {
    await tx.raw('alter table wallet_activity detach partition ??', [source])
  }
  await tx.raw(
    `with moved as (delete from wallet_activity_default
       where "createdAt" >= :from and "createdAt" < :to returning *)
     insert into :name: select * from moved`,
    { name, from, to },
  )
  await tx.raw(
    `alter table wallet_activity attach partition ?? for values from ('${from}') to ('${to}')`,
    [name],
  )
  await tx.raw('alter table ?? drop constraint month_bounds', [name])
  await tx.raw(`drop table ${sources.map(() => '??').join(', ')}`, sources)
  await refuseRolledCredits(tx, name)
  await mergeRollups(tx, merge)
  await tx('ledger_merges').where({ month: name }).delete()
}
