import type { Tx } from '#db/postgres/transaction'
import type { Month } from './month.ts'

/**
 * True if a snapshot is in use that is older than the copies: an export or a backup that reads the
 * ledger after the swap would miss the rows of the month.
 */
export async function olderSnapshotExists(tx: Tx, month: Month): Promise<boolean> {
  const { rows } = await tx.raw(
    `select exists (
       select from pg_stat_activity a,
         (select max("copiedBy"::text::bigint)::text::xid8::xid as xid from ledger_merges
          where month = ?) copied
       where a.datname = current_database() and a.pid <> pg_backend_pid()
         and age(a.backend_xmin) >= age(copied.xid)
     ) as found`,
    [month.name],
  )
  return rows[0].found
}

/**
 * Puts the month in the place of its days, in one short transaction: readers and writers of the
 * ledger wait for it. Rows of the month that were in the default partition move too.
 */
export async function swapMonth(tx: Tx, days: string[], month: Month): Promise<void> {
  const { name, from, to } = month
  await tx.raw('lock table only wallet_activity in access exclusive mode')
  for (const day of days) await tx.raw('alter table wallet_activity detach partition ??', [day])
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
  await tx.raw(`drop table ${days.map(() => '??').join(', ')}`, days)
  await tx('ledger_merges').where({ month: name }).delete()
}
