import type { Knex } from 'knex'
import { DISTRIBUTED } from '#db/engine/citus/distribute-tables'
import { isDistributed } from '#db/postgres/connection/layout'
import type { BucketRange } from '#rules/buckets'
import { compileBindings, prepared, valuesOf } from './prepared.ts'
import { type Db, retrying } from './transaction.ts'

/** Steps before the last `select`, which may change rows, and that `select`. */
export type Statement = { steps: string; answer: string }

/** Where a statement runs; a few of its words depend on it. */
export type Engine = 'postgres' | 'citus'

/** A statement about the rows of a bucket, or of a range of buckets. */
export type BucketStatement = {
  name: string
  /** The statement for plain Postgres. */
  sql: string
  /** The statement as the function `run_on_shard` takes it. */
  delegated: { tables: string[]; text: string; names: string[] }
  isPlannedAnew: boolean
}

const TABLE = new RegExp(`\\b(${DISTRIBUTED.join('|')})\\b`, 'g')

function compileCall(sql: string): BucketStatement['delegated'] {
  const tables = [...new Set(sql.match(TABLE))]
  const format = sql
    .replaceAll('%', '%%')
    .replace(TABLE, (table) => `%${tables.indexOf(table) + 1}$I`)
  return { tables, ...compileBindings(format, (n) => `%${tables.length + n}$L`) }
}

/**
 * A statement about rows of a bucket or of a range. On Citus it names distributed tables only, and its values become
 * literals, so the text casts each of them.
 * @param statement the statement on an engine
 * @param isPlannedAnew if its best plan depends on its values
 */
export function bucketStatement(
  name: string,
  statement: (engine: Engine) => Statement,
  { isPlannedAnew = false } = {},
): BucketStatement {
  const sqlOn = (engine: Engine) => {
    const { steps, answer } = statement(engine)
    return `with ${steps} select to_json(answer) as answer from (${answer}) answer`
  }
  return { name, sql: sqlOn('postgres'), delegated: compileCall(sqlOn('citus')), isPlannedAnew }
}

/** A bucket, or a range, whose buckets Citus has on one shard: one of `sweepScopes`. */
export type BucketOrRange = number | BucketRange

function bucketsOf(place: BucketOrRange): { bucket: number; buckets: number[] } {
  if (typeof place === 'number') return { bucket: place, buckets: [place] }
  const { first, list } = place
  if (!list) throw new Error('a range without its list of buckets may be on several shards')
  return { bucket: first, buckets: list }
}

/** A value as Postgres reads it from text. */
function asText(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? `{${value.join()}}` : String(value)
}

const RUN_SQL = `
  select run_on_shard as answer from run_on_shard(:bucket::smallint, :buckets::smallint[], :tables::text[],
    :text::text, :values::text[])`

type Bindings = Record<string, unknown>

/** Sends the statement to the node that has the shard. */
function delegate(
  db: Db,
  place: BucketOrRange,
  { name, delegated }: BucketStatement,
  given: Bindings,
) {
  const { tables, text, names } = delegated
  const values = valuesOf(name, names, given).map(asText)
  const call = () =>
    prepared(db, 'run-on-shard', RUN_SQL, { ...bucketsOf(place), tables, text, values })
  return db.isTransaction ? call() : retrying(call)
}

const send = (db: Db, { name, sql, isPlannedAnew }: BucketStatement, given: Bindings) =>
  isPlannedAnew
    ? db.raw(sql, given as Record<string, Knex.RawBinding>)
    : prepared(db, name, sql, given)

/**
 * Runs the statement, on Citus on the node that has the shard: in the transaction that `db` is, or in one of
 * its own.
 * @returns its rows, as JSON has them: times are text
 * @throws on Citus an error of Postgres if the range is on several shards, after one was split
 */
export async function runForBucket<Row>(
  db: Db,
  place: BucketOrRange,
  statement: BucketStatement,
  bindings: Bindings,
): Promise<Row[]> {
  const { rows } = (await isDistributed(db))
    ? await delegate(db, place, statement, bindings)
    : await send(db, statement, bindings)
  return rows.map(({ answer }: { answer: Row }) => answer)
}
