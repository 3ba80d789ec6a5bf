import { partitionName } from '#db/postgres/partitions'
import { productNow } from '#db/postgres/product-clock'
import type { Db } from '#db/postgres/transaction'
import { DAY_MS } from '#rules/constants'

/**
 * Days after the end of a month until its days are merged: two more than `LEDGER_DETAIL_DAYS` by
 * default, so that the last day is rolled up before. Hardly a row arrives later; one that does (a
 * session released from quarantine) is still written.
 */
export const MERGE_AFTER_DAYS = 9

/** A month of the ledger: its partition `wallet_activity_202611` and its bounds, ISO times. */
export type Month = { name: string; from: string; to: string }

const DAILY = /^wallet_activity_(\d{4})(\d{2})\d{2}$/

function monthOf(day: string): Month {
  const [, year, month] = (DAILY.exec(day) ?? []).map(Number)
  const [from = 0, to = 0] = [0, 1].map((later) => Date.UTC(year ?? 0, (month ?? 1) - 1 + later))
  return {
    name: partitionName(from).slice(0, -2),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }
}

async function isRollingUp(db: Db, days: string[]): Promise<boolean> {
  const row = await db('ledger_rollups').whereIn('partition', days).whereNull('swappedAt').first()
  return row !== undefined
}

/**
 * The oldest month that is over long enough and still has days, and these; undefined if none, or
 * while one of the days is being rolled up.
 */
export async function monthToMerge(db: Db): Promise<{ month: Month; days: string[] } | undefined> {
  const { rows } = await db.raw(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  const daily = rows.map(({ name }: { name: string }) => name).filter((n: string) => DAILY.test(n))
  if (daily.length === 0) return undefined
  const month = monthOf(daily[0])
  const over = (await productNow(db)) - MERGE_AFTER_DAYS * DAY_MS
  if (Date.parse(month.to) > over) return undefined
  const days = daily.filter((day: string) => day.startsWith(month.name))
  return (await isRollingUp(db, days)) ? undefined : { month, days }
}
