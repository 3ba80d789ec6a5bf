import type { Tx } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { type LedgerPartition, rolledName } from './ledger-partition.ts'
import { useRollupSettings } from './rollup-settings.ts'
import { ROW_COLUMNS, rangeIdSql, runSteps, sessionDaysSql, usableSql } from './run-sql.ts'
import { type Pass, parsedOnceSql, passRowsSql } from './source-sql.ts'

/** Credits whose rate is not known could not be recomputed. */
export const UNKNOWN = `select "sessionId"::text from mining_rates where "hashRate" is null`

/**
 * Members with a negative correction since the partition began. Rows of other days change the balance
 * between two credits, unless they add up to zero; only these members can have any that do.
 */
const CORRECTED_SQL = `
  select distinct a."userId" from generate_series(1, (select last_value from correction_numbers)) n
  join ledger_facts f on f.id = ${ledgerIdSql('correction', { number: 'n' })}
    and f.id like '${ledgerIdLike('correction')}'
  join wallet_activity a on a.bucket = f.bucket and a.id = f.id and a."createdAt" = f."createdAt"
  where f."createdAt" >= ? and a.amount < 0`

async function correctedMembers(tx: Tx, from: string): Promise<number[]> {
  const { rows } = await tx.raw(CORRECTED_SQL, [from])
  return rows.map(({ userId }: { userId: number }) => userId)
}

const IS_USABLE = usableSql(`not in (${UNKNOWN})`)
const BUCKET = bucketSql('"userId"')

/**
 * A row for each session and day, in a table of this transaction: unlike an `insert`, this statement uses several
 * processors.
 */
export const sumUpSql = (table: string) => `
  create temporary table session_days on commit drop as
  with source as not materialized (${parsedOnceSql(table)})
  ${sessionDaysSql(IS_USABLE)}`

/** Rows that are no credits, and those of members who have credits that are no whole run. */
const MAY_BE_LEFT = `(s.id not like '${ledgerIdLike('credit')}'
      or s."userId" in (select "userId" from session_days where not "isWhole"))`

/**
 * Writes each run of credits as its last row, with the sum of the run, and every other row as it is.
 * Sessions that are one run have been summed at once; of the others each run is found row by row, and its
 * sum is the balance after it less the balance before it.
 */
export const rollUpSql = (table: string, rolled: string) => `
  with source as not materialized (${passRowsSql(table)}),
  whole as not materialized (select * from session_days where "isWhole"),
  ${runSteps(
    IS_USABLE,
    ` where ${MAY_BE_LEFT} and not exists (
      select from whole w where w.session = s.session and w.day = s.day)`,
  )}
  insert into "${rolled}"
    ${ROW_COLUMNS}
  select ${BUCKET}, ${rangeIdSql('first')}, "userId", "walletId", 'mining_reward', amount,
    "tokenType", '', "createdAt", "balanceAfter", seq
  from whole
  union all
  select ${BUCKET},
    case when continues then ${rangeIdSql('"firstOfRun"')} else id end, "userId", "walletId", type,
    case when continues then "balanceAfter" - "balanceBefore" else amount end, "tokenType",
    case when continues then '' else description end, "createdAt", "balanceAfter", seq
  from rolled where not "isContinued"`

/** Rolls up the credits of the members of one pass, and records it in the same transaction. */
export async function rollUpPass(tx: Tx, partition: LedgerPartition, pass: Pass): Promise<void> {
  const { name, from } = partition
  const corrected = await correctedMembers(tx, from)
  await useRollupSettings(tx)
  const values = { ...pass, corrected }
  await tx.raw(sumUpSql(name), values)
  await tx.raw(rollUpSql(name, rolledName(partition)), values)
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({ rolledPasses: pass.pass + 1, copiedBy: tx.raw('pg_current_xact_id()') })
}
