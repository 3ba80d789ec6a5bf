import { productNow } from '#db/postgres/product-clock'
import type { Db } from '#db/postgres/transaction'
import { DAY_MS } from '#rules/constants'

/** A day or a merged month of the ledger: its table and its bounds, ISO times. */
export type LedgerPartition = { name: string; from: string; to: string }

const PARTITION = /^wallet_activity_(\d{4})(\d{2})(\d{2})?$/

/** The partition of that name; undefined for the default one. */
function partitionNamed(name: string): LedgerPartition | undefined {
  const match = PARTITION.exec(name)
  if (!match) return undefined
  // A month has no day: NaN.
  const [year = 0, month = 0, day = Number.NaN] = match.slice(1).map(Number)
  const from = Date.UTC(year, month - 1, day || 1)
  const to = day ? from + DAY_MS : Date.UTC(year, month)
  return { name, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/**
 * Partitions that are not rolled up, oldest first. One whose days are being merged is left out: it
 * is due as a month.
 */
const OPEN_SQL = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'wallet_activity'::regclass
    and not exists (select from ledger_rollups r
      where r.partition = c.relname and r."swappedAt" is not null)
    and not exists (select from ledger_merges m where m.month = left(c.relname, -2))
  order by 1`

/** End of the last sealed day, ms: rows are sealed before they are rolled up. */
async function sealedUntil(db: Db): Promise<number> {
  const { rows } = await db.raw('select (max(day) + 1)::text as day from ledger_seals')
  return rows[0].day === null ? Number.POSITIVE_INFINITY : Date.parse(`${rows[0].day}T00:00:00Z`)
}

/**
 * The oldest partition that ended `detailDays` of product time ago or earlier and has credits to roll
 * up; undefined if there is none. It waits while a sweep has intervals of it to credit, as after an
 * outage of many days, and for its seals, once the ledger has any.
 */
export async function partitionToRollUp(
  db: Db,
  detailDays: number,
): Promise<LedgerPartition | undefined> {
  const { rows } = await db.raw(OPEN_SQL)
  const swept = await db('credit_sweeps').min({ to: 'sweptTo' }).first()
  const age = (await productNow(db)) - detailDays * DAY_MS
  const over = Math.min(age, swept?.to?.getTime() ?? 0, await sealedUntil(db))
  return rows
    .map(({ name }: { name: string }) => partitionNamed(name))
    .find((partition?: LedgerPartition) => partition && Date.parse(partition.to) <= over)
}

/** Name of the table that is filled beside a partition and takes its place. */
export const rolledName = ({ name }: LedgerPartition) => `${name}_rolled`
