import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { digitsOf, LENGTHS, type Span, spanNamed } from './span.ts'

/**
 * Days after the end of a span until its partitions are merged: two more than `LEDGER_DETAIL_DAYS` by
 * default, so that the last day is rolled up before. Hardly a row arrives later; one that does (a
 * session released from quarantine) is still written.
 */
export const MERGE_AFTER_DAYS = 9

/** Partitions of the ledger that are merged, and the span of the one that takes their place. */
export type Merge = { into: Span; sources: string[] }

const partsOf = (names: string[], into: Span): Merge => ({
  into,
  sources: names.filter((name) => name.startsWith(into.name) && name !== into.name),
})

/**
 * The oldest merge of the finest partitions that is due: days into ten days, these into months, months
 * into years, years into decades. So the ledger has fewer than 60 partitions for a hundred years.
 * @param names partitions of the ledger in ascending order
 * @param over time until which a span has to be over, ms
 */
export function dueMerge(names: string[], over: number): Merge | undefined {
  const digits = names.map((name) => digitsOf(name)?.length)
  for (const [i, length] of LENGTHS.slice(0, -1).entries()) {
    const oldest = names[digits.indexOf(length)]
    const shorter = length - (LENGTHS[i + 1] ?? 0)
    const into = oldest && spanNamed(oldest.slice(0, -shorter))
    if (into && Date.parse(into.to) <= over) return partsOf(names, into)
  }
  return undefined
}

/** A merge that was begun is completed before another begins. */
async function begunMerge(db: Db, names: string[]): Promise<Merge | undefined> {
  const begun = await db('ledger_merges').first('month')
  const into = begun && spanNamed(begun.month)
  return into && partsOf(names, into)
}

/** Longest name of a span of which every part has to be rolled up before: a year, four digits. */
const ROLLED_LENGTH = 4

/** Whether a roll-up of a part is in progress, or has to come first: it makes a year 40 times smaller. */
async function awaitsRollup(db: Db, { into, sources }: Merge): Promise<boolean> {
  const rollups = await db('ledger_rollups').whereIn('partition', sources).select('swappedAt')
  if (rollups.some(({ swappedAt }) => swappedAt === null)) return true
  return (digitsOf(into.name)?.length ?? 0) <= ROLLED_LENGTH && rollups.length < sources.length
}

/**
 * The merge that is in progress or due; undefined if there is none, or while a part of it is being
 * rolled up.
 */
export async function nextMerge(db: Db): Promise<Merge | undefined> {
  const { rows } = await db.raw(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  const names: string[] = rows.map(({ name }: { name: string }) => name)
  const over = (await productNow(db)) - MERGE_AFTER_DAYS * DAY_MS
  const merge = (await begunMerge(db, names)) ?? dueMerge(names, over)
  return merge && !(await awaitsRollup(db, merge)) ? merge : undefined
}
