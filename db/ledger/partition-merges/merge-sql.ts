import { olderSnapshotExists, refuseRolledCredits } from '#db/ledger/partition-swap'
import type { Period } from '#db/ledger/partitions'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import type { Tx } from '#db/postgres/statements/transaction'
import type { Merge } from './next-merge.ts'

/** The statements of each step of a merge: of plain Postgres in this file, of Citus in its own (decision 29). */
export type MergeSql = {
  createMonth(tx: Tx, into: Period): Promise<void>
  /** From the commit on, rows that arrive in `source` are written into the month too. */
  mirrorSource(tx: Tx, source: string, into: Period): Promise<void>
  /** Copies the next part of a mirrored source and records that, in one transaction. */
  copyChunk(tx: Tx, source: string, into: Period): Promise<void>
  /** Compares the sources with their month; false if that has to be repeated later. */
  verifyMonth(tx: Tx, merge: Merge): Promise<boolean>
  /** Whether every snapshot in use sees the rows that were copied into the month. */
  isSeenByAll(tx: Tx, merge: Merge): Promise<boolean>
  swapMonth(tx: Tx, merge: Merge): Promise<void>
}

/**
 * Attaches a month whose sources are partitions no more, which ends the merge. A month of rolled-up parts is rolled up;
 * with another part it becomes due as a whole. `swappedAt` is the epoch, so that no day is sealed again: a merge
 * changes no row.
 */
export async function attachMonth(tx: Tx, { into, sources }: Merge): Promise<void> {
  const { name, from, to } = into
  await tx.raw(
    `alter table wallet_activity attach partition ?? for values from ('${from}') to ('${to}')`,
    [name],
  )
  await tx.raw('alter table ?? drop constraint month_bounds', [name])
  await tx.raw(
    `with parts as (delete from ledger_rollups where partition = any(:sources) returning *)
     insert into ledger_rollups (partition, passes, "swappedAt", "bytesBefore", "bytesAfter")
     select :name, 1, 'epoch', sum("bytesBefore"), sum("bytesAfter")
     from parts having count(*) = :count`,
    { sources, name, count: sources.length },
  )
  await tx('ledger_merges').where({ month: name }).delete()
}

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

/** Creates the table of a month, not attached. Its bounds are a constraint, so that attaching it reads no rows. */
export async function createMonth(tx: Tx, { name, from, to }: Period): Promise<void> {
  await tx.raw(`create table ?? (like wallet_activity including all)`, [name])
  await tx.raw(
    `alter table ?? add constraint month_bounds
       check ("createdAt" >= '${from}' and "createdAt" < '${to}')`,
    [name],
  )
  // Days are copied in turn, so the check of a sealed day reads a few pages. A month rolled up later does without.
  await tx.raw('create index on ?? using brin ("createdAt") with (autosummarize = on)', [name])
}

/** @param mirror the trigger's function */
export async function mirrorSource(
  tx: Tx,
  source: string,
  into: Period,
  mirror = 'mirror_ledger_row',
): Promise<void> {
  await tx.raw(
    `create trigger mirror_ledger_row after insert or update or delete on ??
       for each row execute function ${mirror}('${into.name}')`,
    [source],
  )
  await tx('ledger_merges').insert({ day: source, month: into.name })
}

/** Copies the next pages. */
export async function copyChunk(tx: Tx, source: string, into: Period): Promise<void> {
  const columns = await ledgerColumns(tx)
  const { nextPage } = await tx('ledger_merges').where({ day: source }).first('nextPage')
  const end = nextPage + CHUNK_PAGES
  await withoutTimeLimit(tx)
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
 * Compares count, sum of amounts and sum of row hashes of the sources and their month in one snapshot.
 * @throws an error if they differ; the sources stay, and an operator has to look
 */
export async function verifyMonth(tx: Tx, { into, sources }: Merge): Promise<boolean> {
  const columns = await ledgerColumns(tx)
  const figures = `count(*) as rows, sum(amount) as amount,
    sum(hashtextextended(row(${columns})::text, 0)) as hash`
  const sourceRows = sources.map((name) => `select ${columns} from "${name}"`).join(' union all ')
  await withoutTimeLimit(tx)
  const { rows } = await tx.raw(
    `select (s.*) is not distinct from (i.*) as equal from
       (select ${figures} from (${sourceRows}) r) s,
       (select ${figures} from "${into.name}" r) i`,
  )
  if (!rows[0].equal) throw new Error(`${into.name} differs from its days; they stay as they are`)
  await tx('ledger_merges').where({ month: into.name }).update({ verified: true })
  return true
}

/** As in `MergeSql`. */
export async function isSeenByAll(tx: Tx, { into }: Merge): Promise<boolean> {
  const { rows } = await tx.raw(
    'select max("copiedBy"::text::bigint)::text as "lastCopy" from ledger_merges where month = ?',
    [into.name],
  )
  return !(await olderSnapshotExists(tx, rows[0].lastCopy))
}

/** Replaces the sources by their month in one short transaction; readers and writers of the ledger wait for it. */
export async function swapMonth(tx: Tx, merge: Merge): Promise<void> {
  const { into, sources } = merge
  await tx.raw('lock table only wallet_activity in access exclusive mode')
  for (const source of sources) {
    await tx.raw('alter table wallet_activity detach partition ??', [source])
  }
  await tx.raw(
    `with moved as (delete from wallet_activity_default
       where "createdAt" >= :from and "createdAt" < :to returning *)
     insert into :name: select * from moved`,
    into,
  )
  await attachMonth(tx, merge)
  await tx.raw(`drop table ${sources.map(() => '??').join(', ')}`, sources)
  await refuseRolledCredits(tx, into.name)
}
