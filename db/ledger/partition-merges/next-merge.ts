import { monthOf, type Period, periodNamed } from '#db/ledger/partitions'
import { leftOut } from '#db/ledger/retention/ledger-partition'
import { rolledDay } from '#db/ledger/seals/seal-chain'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'

/** `LEDGER_DETAIL_DAYS` by default. */
export const DETAIL_DAYS = 7

/**
 * Days after a month until its days are merged: at least 9, and two more than `LEDGER_DETAIL_DAYS`, so that the last
 * day is rolled up before. A row that arrives later (of a session released from quarantine) is still written.
 */
export const mergeAfterDays = (detailDays: number) => Math.max(9, detailDays + 2)

/** A month's partition, and those of its days, which it takes the place of. */
export type Merge = { into: Period; sources: string[] }

const mergeInto = (month: string, names: string[]): Merge | undefined => {
  const into = periodNamed(month)
  return into && { into, sources: names.filter((name) => monthOf(name) === month) }
}

/** The due merge of the oldest days. `names` are partitions in ascending order; a month has to end by `over`, ms. */
export function dueMerge(names: string[], over: number): Merge | undefined {
  const month = names.map(monthOf).find((name) => name !== undefined)
  const merge = month && mergeInto(month, names)
  return merge && Date.parse(merge.into.to) <= over ? merge : undefined
}

/** A merge that was begun is completed before another begins. */
async function begunMerge(db: Db, names: string[]): Promise<Merge | undefined> {
  const begun = await db('ledger_merges').first('month')
  return begun && mergeInto(begun.month, names)
}

async function awaitsRollup(db: Db, { sources }: Merge): Promise<boolean> {
  const rollup = db('ledger_rollups').whereIn('partition', sources).whereNull('swappedAt')
  return (await rollup.first()) !== undefined || (await rolledDay(db)) !== undefined
}

/**
 * The merge that is in progress or due; undefined while a day of it is being rolled up or sealed again. A month with
 * a day that differs is left out, as the day is by the roll-up.
 */
export async function nextMerge(db: Db, detailDays: number): Promise<Merge | undefined> {
  const { rows } = await db.raw(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  const names: string[] = rows.map(({ name }: { name: string }) => name)
  const over = (await productNow(db)) - mergeAfterDays(detailDays) * DAY_MS
  const months = (await leftOut(db)).map(({ partition }) => monthOf(partition))
  const others = names.filter((name) => !months.includes(monthOf(name)))
  const merge = (await begunMerge(db, names)) ?? dueMerge(others, over)
  return merge && !(await awaitsRollup(db, merge)) ? merge : undefined
}
