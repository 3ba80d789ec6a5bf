import { type BucketOrRange, type Engine, type EngineFragments, memoized } from '#db/engine/engine'
import { ALL_MEMBERS, MOST_CHANGES } from '#db/ledger/poll-log'
import { momentOf } from '#db/postgres/connection/product-clock'
import { compileBindings, prepared, valuesOf } from '#db/postgres/statements/prepared'
import { retrying } from '#db/postgres/statements/transaction'
import { DISTRIBUTED } from './distribute.ts'

/** Nodes share no sequence, so each wallet counts its postings. */
const FRAGMENTS: EngineFragments = {
  next: ', "lastSeq" = "lastSeq" + 1',
  returned: ', "lastSeq" as seq',
  column: ', seq',
  absent: ', null',
  logged: '',
}

/** Arguments of the function `run_on_shard` (`shard-functions.ts`); `names` are those of its values. */
type Call = { tables: string[]; text: string; names: string[] }

const TABLE = new RegExp(`\\b(${DISTRIBUTED.join('|')})\\b`, 'g')

function compileCall(sql: string): Call {
  const tables = [...new Set(sql.match(TABLE))]
  const format = sql
    .replaceAll('%', '%%')
    .replace(TABLE, (table) => `%${tables.indexOf(table) + 1}$I`)
  return { tables, ...compileBindings(format, (n) => `%${tables.length + n}$L`) }
}

/** The statement as the function `run_on_shard` takes it. */
export const callOf = memoized(({ sql }) => compileCall(sql(FRAGMENTS)))

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

/** Sends the statement to the node of the shard. @throws if a split has put the range on several shards */
export const runForBucket: Engine['runForBucket'] = async (db, place, statement, bindings) => {
  const { tables, text, names } = callOf(statement)
  const values = valuesOf(statement.name, names, bindings).map(asText)
  const call = () =>
    prepared(db, 'run-on-shard', RUN_SQL, { ...bucketsOf(place), tables, text, values })
  const { rows } = await (db.isTransaction ? call() : retrying(call))
  return rows.map(({ answer }) => answer)
}

/** Keeps the shard on its node until the commit, as each write of Citus does; a query that locks rows does not. */
const KEEP_SHARD_SQL = `
  select lock_shard_metadata(5, array[get_shard_id_for_distribution_column('wallets', :bucket::smallint)])`

/**
 * The shard is kept on its node first: a move leaves the locks of rows behind, so others could change what was read
 * before this transaction writes it. The clocks of nodes differ, and users are on the coordinator: the last statement
 * is sent with the others and begins when the locks are held.
 */
export const readLocked: Engine['readLocked'] = async (tx, { name, sql, clocks }, bindings) => {
  const [, { rows }, read] = await Promise.all([
    prepared(tx, 'keep-shard', KEEP_SHARD_SQL, bindings),
    prepared(tx, name, sql, bindings),
    prepared(tx, `${name}-clocks`, clocks, bindings),
  ])
  return rows[0] && { row: { ...rows[0], ...read.rows[0] }, ...momentOf(read.rows[0]) }
}

const LOG_SQL = `insert into member_changes ("userId") select * from unnest(:logged::integer[])`

/** Citus refuses the triggers that log changes elsewhere. */
export const logPollChange: Engine['logPollChange'] = async (db, memberIds) => {
  if (memberIds.length === 0) return
  const logged = memberIds.length > MOST_CHANGES ? [ALL_MEMBERS] : memberIds
  await prepared(db, 'log-change', LOG_SQL, { logged })
}
