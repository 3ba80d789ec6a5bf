import type { Tx } from '#db/postgres/transaction'
import { refuseRolledCredits } from './guard-partition.ts'
import type { Month } from './month.ts'

/** The last transaction that copied rows into the month, as text. */
export async function lastCopy(tx: Tx, month: Month): Promise<string> {
  const { rows } = await tx.raw(
    'select max("copiedBy"::text::bigint)::text as xid from ledger_merges where month = ?',
    [month.name],
  )
  return rows[0].xid
}

/** A month of rolled-up days is rolled up; one with another day is not, and becomes due as a whole. */
async function mergeRollups(tx: Tx, days: string[], name: string): Promise<void> {
  await tx.raw(
    `with days as (delete from ledger_rollups where partition = any(:days) returning *)
     insert into ledger_rollups (partition, passes, "swappedAt", "bytesBefore", "bytesAfter")
     select :name, 1, max("swappedAt"), sum("bytesBefore"), sum("bytesAfter")
     from days having count(*) = :count`,
    { days, name, count: days.length },
  )
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
  await refuseRolledCredits(tx, name)
  await mergeRollups(tx, days, name)
  await tx('ledger_merges').where({ month: name }).delete()
}
