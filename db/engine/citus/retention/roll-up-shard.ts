import { bucketsSql } from '#db/engine/citus/shard-copy'
import { firstIntervalSql, lastIntervalSql, sessionOfSql } from '#db/ledger/credit-sql'
import { UNKNOWN } from '#db/ledger/retention/rollup-pass'
import {
  ROW_COLUMNS,
  rangeIdSql,
  runSteps,
  usableSql,
  wholeSql,
} from '#db/ledger/retention/run-sql'
import { parsedRowsSql } from '#db/ledger/retention/source-sql'
import type { Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { ledgerIdLike } from '#rules/money/ledger-id'

const IS_USABLE = usableSql('<> all(:unknown::text[])')
/**
 * Inserts a row for each session of which all credits of a day are one run. Citus knows that a row stays in its
 * bucket, because its bucket is the column itself.
 */
const wholeRunsSql = (table: string, isIn: string) => `
  insert into "${table}" ${ROW_COLUMNS}
  with source as not materialized (${parsedRowsSql(table, isIn)}),
  whole as not materialized (${wholeSql(IS_USABLE)})
  select bucket, ${rangeIdSql('first')}, "userId", "walletId", 'mining_reward', amount, "tokenType", '',
    "createdAt", "balanceAfter", seq
  from whole`

/** Inserts a row for each run of the credits that are left. */
const otherRunsSql = (table: string, isIn: string) => `
  insert into "${table}" ${ROW_COLUMNS}
  with source as not materialized (${parsedRowsSql(table, isIn)}),
  ${runSteps(IS_USABLE)}
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

/** The sessions and members whose credits stay single; both are read before, on other servers. */
export type Unusable = { unknown: string[]; corrected: number[] }

/** Sessions with an unknown rate, whose rates are on the coordinator. */
export async function unknownSessions(tx: Tx): Promise<string[]> {
  const { rows } = await tx.raw(UNKNOWN)
  return rows.map(({ sessionId }: { sessionId: string }) => sessionId)
}

/** The statements that insert the rows of a roll-up, in their order. */
export const rollUpShardSql = (table: string, range: BucketRange): string[] =>
  [wholeRunsSql, otherRunsSql].map((sql) => sql(table, bucketsSql('d.bucket', range)))

/**
 * Rolls up the credits of one shard in a partition by rows beside the single ones, which are then deleted.
 * A row that arrives meanwhile is in no run, so it is neither counted nor deleted.
 */
export async function rollUpRows(
  tx: Tx,
  table: string,
  range: BucketRange,
  unusable: Unusable,
): Promise<void> {
  const isIn = (alias: string) => bucketsSql(`${alias}.bucket`, range)
  for (const sql of rollUpShardSql(table, range)) {
    const inserted = await tx.raw(sql, unusable)
    if (inserted.rowCount > 0) await tx.raw(coveredSql(table, isIn))
  }
}
