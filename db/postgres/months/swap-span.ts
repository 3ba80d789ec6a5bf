import type { Tx } from '#db/postgres/statements/transaction'
import { refuseRolledCredits } from './guard-partition.ts'
import type { Merge } from './next-merge.ts'
import type { Span } from './span.ts'

/** The last transaction that copied rows into the span, as text. */
export async function lastCopy(tx: Tx, into: Span): Promise<string> {
  const { rows } = await tx.raw(
    'select max("copiedBy"::text::bigint)::text as xid from ledger_merges where month = ?',
    [into.name],
  )
  return rows[0].xid
}

/** A span of rolled-up parts is rolled up; one with another part is not, and becomes due as a whole. */
async function mergeRollups(tx: Tx, sources: string[], name: string): Promise<void> {
  await tx.raw(
    `with parts as (delete from ledger_rollups where partition = any(:sources) returning *)
     insert into ledger_rollups (partition, passes, "swappedAt", "bytesBefore", "bytesAfter")
     select :name, 1, max("swappedAt"), sum("bytesBefore"), sum("bytesAfter")
     from parts having count(*) = :count`,
    { sources, name, count: sources.length },
  )
}

/**
 * Puts the span in the place of its sources, in one short transaction: readers and writers of the
 * ledger wait for it. Rows of the span that were in the default partition move too.
 */
export async function swapSpan(tx: Tx, { into, sources }: Merge): Promise<void> {
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
  await mergeRollups(tx, sources, name)
  await tx('ledger_merges').where({ month: name }).delete()
}
