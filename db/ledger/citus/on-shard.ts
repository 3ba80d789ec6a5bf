import { DISTRIBUTED } from '#db/migrations/citus/distribute-tables'
import { compileBindings, prepared, valuesOf } from '#db/postgres/statements/prepared'
import { type Db, retrying } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'

/** Steps before the last `select`, which may change rows, and that `select`. */
export type Statement = { steps: string; answer: string }

/** A statement as the function `run_on_shard` takes it (migration 043). */
export type ShardStatement = { name: string; tables: string[]; text: string; names: string[] }

const TABLE = new RegExp(`\\b(${DISTRIBUTED.join('|')})\\b`, 'g')

/**
 * The statement for the tables of one shard. It names distributed tables only. Its values become literals, so
 * the text casts each of them.
 */
export function shardStatement(name: string, { steps, answer }: Statement): ShardStatement {
  const sql = `with ${steps} select to_json(answer) from (${answer}) answer`
  const tables = [...new Set(sql.match(TABLE))]
  const format = sql
    .replaceAll('%', '%%')
    .replace(TABLE, (table) => `%${tables.indexOf(table) + 1}$I`)
  return { name, tables, ...compileBindings(format, (n) => `%${tables.length + n}$L`) }
}

/** Rows of one shard: those of a bucket, or of a range, which has to be one of `sweepRanges`. */
export type OnShard = number | BucketRange

function bucketsOf(place: OnShard): { bucket: number; buckets: number[] } {
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
  select * from run_on_shard(:bucket::smallint, :buckets::smallint[], :tables::text[], :text::text,
    :values::text[])`

/**
 * Runs the statement on the node that has the shard, as a single call: in the transaction that `db` is, or in
 * one of its own.
 * @throws an error of Postgres if the range is on several shards, after one was split
 */
export async function runOnShard<Row>(
  db: Db,
  place: OnShard,
  { name, tables, text, names }: ShardStatement,
  bindings: Record<string, unknown>,
): Promise<Row[]> {
  const values = valuesOf(name, names, bindings).map(asText)
  const call = () =>
    prepared(db, 'run-on-shard', RUN_SQL, { ...bucketsOf(place), tables, text, values })
  const { rows } = await (db.isTransaction ? call() : retrying(call))
  return rows.map((row: { run_on_shard: Row }) => row.run_on_shard)
}
