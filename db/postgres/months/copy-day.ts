import type { Tx } from '#db/postgres/transaction'
import type { Month } from './month.ts'

/** Pages of 8 kB that one transaction copies: about 130,000 rows, a second or two. */
const CHUNK_PAGES = 2_000

/** The ledger's columns, quoted; partitions may have them in another order. */
async function ledgerColumns(tx: Tx): Promise<string> {
  const { rows } = await tx.raw(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = 'wallet_activity'::regclass and attnum > 0 and not attisdropped`,
  )
  return rows[0].names
}

/**
 * Creates the table of a month beside the ledger, with the ledger's columns, constraints and
 * indexes. The bounds are a constraint, so that attaching it later does not read its rows.
 */
export async function createMonth(tx: Tx, { name, from, to }: Month): Promise<void> {
  await tx.raw(`create table ?? (like wallet_activity including all)`, [name])
  await tx.raw(
    `alter table ?? add constraint month_bounds
       check ("createdAt" >= '${from}' and "createdAt" < '${to}')`,
    [name],
  )
}

/** From the end of this transaction on, rows that arrive in `day` are written into the month too. */
export async function mirrorDay(tx: Tx, day: string, month: Month): Promise<void> {
  await tx.raw(
    `create trigger mirror_ledger_row after insert or update or delete on ??
       for each row execute function mirror_ledger_row('${month.name}')`,
    [day],
  )
  await tx('ledger_merges').insert({ day, month: month.name })
}

/** Copies the next pages of a mirrored day, and records that in the same transaction. */
export async function copyChunk(tx: Tx, day: string, month: Month): Promise<void> {
  const columns = await ledgerColumns(tx)
  const { nextPage } = await tx('ledger_merges').where({ day }).first('nextPage')
  const end = nextPage + CHUNK_PAGES
  // A row that arrived after the trigger is in the month already.
  await tx.raw(
    `insert into ?? (${columns}) select ${columns} from ??
     where ctid >= '(${nextPage},0)'::tid and ctid < '(${end},0)'::tid
     on conflict do nothing`,
    [month.name, day],
  )
  await tx.raw(
    `update ledger_merges set "nextPage" = :end, "copiedBy" = case
       when :end * current_setting('block_size')::bigint >= pg_relation_size(:day::regclass)
       then pg_current_xact_id() end
     where day = :day`,
    { day, end },
  )
}

/**
 * Compares the number of rows, the sum of amounts and the sum of a hash of each row of the days and
 * their month, in one statement, so in one snapshot.
 * @throws an error if they differ; the days stay, and an operator has to look
 */
export async function verifyMonth(tx: Tx, days: string[], month: Month): Promise<void> {
  const columns = await ledgerColumns(tx)
  const figures = `count(*) as rows, sum(amount) as amount,
    sum(hashtextextended(row(${columns})::text, 0)) as hash`
  const rowsOfDays = days.map((day) => `select ${columns} from "${day}"`).join(' union all ')
  await tx.raw('set local statement_timeout = 0')
  const { rows } = await tx.raw(
    `select (d.*) is not distinct from (m.*) as equal from
       (select ${figures} from (${rowsOfDays}) r) d,
       (select ${figures} from "${month.name}" r) m`,
  )
  if (!rows[0].equal) throw new Error(`${month.name} differs from its days; they stay as they are`)
  await tx('ledger_merges').where({ month: month.name }).update({ verified: true })
}
