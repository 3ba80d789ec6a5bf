import type { Period } from '#db/postgres/schema/partition-period'
import type { Tx } from '#db/postgres/statements/transaction'
import type { Merge } from './next-merge.ts'

/** Pages of 8 kB that one transaction copies: about 130,000 rows, a second or two. */
const CHUNK_PAGES = 2_000

/** The ledger's columns, quoted; partitions may have them in another order. */
export async function ledgerColumns(tx: Tx): Promise<string> {
  const { rows } = await tx.raw(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = 'wallet_activity'::regclass and attnum > 0 and not attisdropped`,
  )
  return rows[0].names
}

/**
 * Creates the table of a month beside the ledger, with the ledger's columns, constraints and
 * indexes. The bounds are a constraint, so that attaching it later does not read its rows; merges that
 * an earlier release began have it under the same name.
 */
export async function createMonth(tx: Tx, { name, from, to }: Period): Promise<void> {
  await tx.raw(`create table ?? (like wallet_activity including all)`, [name])
  await tx.raw(
    `alter table ?? add constraint month_bounds
       check ("createdAt" >= '${from}' and "createdAt" < '${to}')`,
    [name],
  )
}

/** From the end of this transaction on, rows that arrive in `source` are written into the month too. */
export async function mirrorSource(tx: Tx, source: string, into: Period): Promise<void> {
  await tx.raw(
    `create trigger mirror_ledger_row after insert or update or delete on ??
       for each row execute function mirror_ledger_row('${into.name}')`,
    [source],
  )
  await tx('ledger_merges').insert({ day: source, month: into.name })
}

/** Copies the next pages of a mirrored partition, and records that in the same transaction. */
export async function copyChunk(tx: Tx, source: string, into: Period): Promise<void> {
  const columns = await ledgerColumns(tx)
  const { nextPage } = await tx('ledger_merges').where({ day: source }).first('nextPage')
  const end = nextPage + CHUNK_PAGES
  // A row that arrived after the trigger is in the month already.
  await tx.raw(
    `insert into ?? (${columns}) select ${columns} from ??
     where ctid >= '(${nextPage},0)'::tid and ctid < '(${end},0)'::tid
     on conflict do nothing`,
    [into.name, source],
  )
  await tx.raw(
    `update ledger_merges set "nextPage" = :end, "copiedBy" = case
       when :end * current_setting('block_size')::bigint >= pg_relation_size(:source::regclass)
       then pg_current_xact_id() end
     where day = :source`,
    { source, end },
  )
}

/**
 * Compares the number of rows, the sum of amounts and the sum of a hash of each row of the sources
 * and their month, in one statement, so in one snapshot.
 * @throws an error if they differ; the sources stay, and an operator has to look
 */
export async function verifyMonth(tx: Tx, { into, sources }: Merge): Promise<boolean> {
  const columns = await ledgerColumns(tx)
  const figures = `count(*) as rows, sum(amount) as amount,
    sum(hashtextextended(row(${columns})::text, 0)) as hash`
  const sourceRows = sources.map((name) => `select ${columns} from "${name}"`).join(' union all ')
  await tx.raw('set local statement_timeout = 0')
  const { rows } = await tx.raw(
    `select (s.*) is not distinct from (i.*) as equal from
       (select ${figures} from (${sourceRows}) r) s,
       (select ${figures} from "${into.name}" r) i`,
  )
  if (!rows[0].equal) throw new Error(`${into.name} differs from its days; they stay as they are`)
  await tx('ledger_merges').where({ month: into.name }).update({ verified: true })
  return true
}
