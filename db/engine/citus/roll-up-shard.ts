import { firstIntervalSql, lastIntervalSql, sessionOfSql } from '#db/ledger/credit-sql'
import { figuresSql } from '#db/ledger/retention/rollup-pass'
import {
  parsedRowsSql,
  ROW_COLUMNS,
  rangeIdSql,
  runSteps,
  WHOLE_SQL,
} from '#db/ledger/retention/rollup-sql'
import type { Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { bucketsSql } from './shard-copy.ts'

/** Ids of all corrections: their numbers are counted on the coordinator. */
const IDS_SQL = `
  select ${ledgerIdSql('correction', { number: 'n' })} as id
  from generate_series(1, (select last_value from correction_numbers)) n`

const correctedSql = (range: BucketRange) => `
  select distinct a."userId" from ledger_facts f
  join wallet_activity a on a.bucket = f.bucket and a.id = f.id and a."createdAt" = f."createdAt"
  where ${bucketsSql('f.bucket', range)} and ${bucketsSql('a.bucket', range)} and f.id = any(:ids)
    and f.id like '${ledgerIdLike('correction')}' and f."createdAt" >= :from and a.amount < 0`

/** The members of a shard with a negative correction since `from`, as of `correctedMembers`. */
export async function correctedOfShard(
  tx: Tx,
  range: BucketRange,
  from: string,
): Promise<number[]> {
  const numbers = await tx.raw(IDS_SQL)
  const ids = numbers.rows.map(({ id }: { id: string }) => id)
  const { rows } = await tx.raw(correctedSql(range), { ids, from })
  return rows.map(({ userId }: { userId: number }) => userId)
}

/** A hash for each member of the figures that a roll-up must not change (`figuresSql`). */
type ShardFigures = Map<number, string>

export async function readFigures(
  tx: Tx,
  table: string,
  range: BucketRange,
): Promise<ShardFigures> {
  const rowsSql = parsedRowsSql(table, bucketsSql('d.bucket', range))
  const { rows }: { rows: { userId: number; hash: string }[] } = await tx.raw(
    `select "userId", sum(hashtextextended(f::text, 0))::text as hash
     from (${figuresSql(rowsSql)}) f group by bucket, "userId"`,
  )
  return new Map(rows.map(({ userId, hash }) => [userId, hash]))
}

/** The first member whose figures differ. */
export function differingMember(before: ShardFigures, after: ShardFigures): number | undefined {
  const members = new Set([...before.keys(), ...after.keys()])
  return [...members].find((userId) => before.get(userId) !== after.get(userId))
}

/** Sessions whose credits of a day are one run. `bucket` is the column itself: Citus knows that rows stay. */
const wholeRunsSql = (table: string, isIn: string) => `
  insert into "${table}" ${ROW_COLUMNS}
  with source as not materialized (${parsedRowsSql(table, isIn)}),
  whole as not materialized (${WHOLE_SQL})
  select bucket, ${rangeIdSql('first')}, "userId", "walletId", 'mining_reward', amount, "tokenType", '',
    "createdAt", "balanceAfter", seq
  from whole`

const otherRunsSql = (table: string, isIn: string) => `
  insert into "${table}" ${ROW_COLUMNS}
  with source as not materialized (${parsedRowsSql(table, isIn)}),
  ${runSteps()}
  select bucket, ${rangeIdSql('"firstOfRun"')}, "userId", "walletId", type,
    "balanceAfter" - "balanceBefore", "tokenType", '', "createdAt", "balanceAfter", seq
  from rolled where continues and not "isContinued"`

const IS_CREDIT = (id: string) => `${id} like '${ledgerIdLike('credit')}'`

/** Deletes the credits whose intervals another row of their session stands for. */
const coveredSql = (table: string, isIn: (alias: string) => string) => `
  delete from "${table}" d using (
    select bucket, "userId", id, ${sessionOfSql('id')} as session, ${firstIntervalSql('id')} as first,
      ${lastIntervalSql('id')} as last
    from "${table}" r where ${isIn('r')} and ${IS_CREDIT('id')} and strpos(id, '-') > 0
  ) r
  where ${isIn('d')} and ${IS_CREDIT('d.id')} and d.bucket = r.bucket and d."userId" = r."userId"
    and ${sessionOfSql('d.id')} = r.session and d.id <> r.id
    and ${firstIntervalSql('d.id')} >= r.first and ${lastIntervalSql('d.id')} <= r.last`

/** The statements that insert the rows of a roll-up, in their order. */
export const rollUpShardSql = (table: string, range: BucketRange): string[] =>
  [wholeRunsSql, otherRunsSql].map((sql) => sql(table, bucketsSql('d.bucket', range)))

/**
 * Rolls up the credits of one shard, except those of `corrected` members: inserts rolled-up rows, then deletes single
 * ones. A row that arrives meanwhile is in no run, so it is neither counted nor deleted.
 */
export async function rollUpRows(
  tx: Tx,
  table: string,
  range: BucketRange,
  corrected: number[],
): Promise<void> {
  const isIn = (alias: string) => bucketsSql(`${alias}.bucket`, range)
  for (const sql of rollUpShardSql(table, range)) {
    const inserted = await tx.raw(sql, { corrected })
    if (inserted.rowCount > 0) await tx.raw(coveredSql(table, isIn))
  }
}
