import { PartitionDiffers, type Period } from '#db/ledger/partitions'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Tx } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { rolledName } from './ledger-partition.ts'
import {
  type Pass,
  parsedOnceSql,
  passRowsSql,
  ROW_COLUMNS,
  rangeIdSql,
  runSteps,
  SESSION_DAYS_SQL,
} from './rollup-sql.ts'

/**
 * For one transaction. The planner expects few rows of a pass and would sort before it groups, which takes twice as
 * long. Where an order is needed it sorts anyway.
 */
export async function useRollupSettings(tx: Tx): Promise<void> {
  await useBatchSettings(tx)
  await tx.raw('set local enable_sort = off')
}

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

const BUCKET = bucketSql('"userId"')

/** Writes a row for each session and day into a temporary table; unlike an `insert`, this uses several processors. */
export const sumUpSql = (table: string) => `
  create temporary table session_days on commit drop as
  with source as not materialized (${parsedOnceSql(table)})
  ${SESSION_DAYS_SQL}`

/** Rows that are no credits, and those of members who have credits that are no whole run. */
const MAY_BE_LEFT = `(s.id not like '${ledgerIdLike('credit')}'
      or s."userId" in (select "userId" from session_days where not "isWhole"))`

/**
 * Writes each run of credits as its last row with the sum of the run, and every other row as it is. Sessions that are
 * one run have been summed; in others runs are found row by row, and the sum is the balance after less that before.
 */
export const rollUpSql = (table: string, rolled: string) => `
  with source as not materialized (${passRowsSql(table)}),
  whole as not materialized (select * from session_days where "isWhole"),
  ${runSteps(
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
export async function rollUpPass(tx: Tx, partition: Period, pass: Pass): Promise<void> {
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

/** Columns of a row that is not rolled up: its hash covers all of them. */
const ROW = `row(bucket, id, type, amount, description, "createdAt", "balanceAfter", seq)`

/**
 * What must not change for each wallet: the intervals and sum of each session, the balances around them, every other
 * row. Sum, highest and lowest balance of a session's credits prove its runs, because credits only add.
 */
export const figuresSql = (rows: string) => `
  select bucket, "userId", "walletId", "tokenType", session, min(first) as first, max(last) as last,
    case when session is null then count(*) else sum(last - first + 1) end as facts,
    sum(amount) as amount, min("balanceAfter" - amount) as lowest, max("balanceAfter") as highest,
    max("createdAt") as latest, max(seq) as seq,
    sum(case when session is null then hashtextextended(${ROW}::text, 0) end) as hash
  from (${rows}) r group by 1, 2, 3, 4, 5`

const passFigures = (table: string) => figuresSql(parsedOnceSql(table))

const verifySql = (table: string, rolled: string) => `
  with detail as materialized (${passFigures(table)}),
  rolled as materialized (${passFigures(rolled)}),
  differing as (
    (table detail except all table rolled) union all (table rolled except all table detail))
  select count(*) as count, min("userId") as "userId" from differing`

/**
 * Proves wallet by wallet, for the members of one pass, that the rolled-up table stands for the partition's rows.
 * @throws {PartitionDiffers} if it does not
 */
export async function verifyPass(tx: Tx, partition: Period, pass: Pass): Promise<void> {
  const { name } = partition
  await useRollupSettings(tx)
  const { rows } = await tx.raw(verifySql(name, rolledName(partition)), pass)
  const { count, userId } = rows[0]
  if (count > 0) {
    const text = `the roll-up of ${name} differs for member ${userId}; the partition stays`
    throw new PartitionDiffers(name, 'roll-up', text)
  }
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({ verifiedPasses: pass.pass + 1 })
}
