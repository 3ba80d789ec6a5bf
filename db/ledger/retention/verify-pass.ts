import type { Tx } from '#db/postgres/statements/transaction'
import { type LedgerPartition, rolledName } from './ledger-partition.ts'
import { useRollupSettings } from './rollup-settings.ts'
import { type Pass, parsedOnceSql } from './source-sql.ts'

/** Columns of a row that is not rolled up: its hash covers all of them. */
const ROW = `row(bucket, id, type, amount, description, "createdAt", "balanceAfter", seq)`

/**
 * What must not change for each wallet: the intervals of each session and their sum, the balances
 * around them, and every other row. The sum of a session's amounts and the highest and lowest balance
 * of its credits prove its runs, because credits only add.
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
 * Proves wallet by wallet, for the members of one pass, that the rolled-up table stands for the rows
 * of its partition.
 * @throws an error if it does not; the partition stays, and an operator has to look
 */
export async function verifyPass(tx: Tx, partition: LedgerPartition, pass: Pass): Promise<void> {
  const { name } = partition
  await useRollupSettings(tx)
  const { rows } = await tx.raw(verifySql(name, rolledName(partition)), pass)
  const { count, userId } = rows[0]
  if (count > 0) {
    throw new Error(`the roll-up of ${name} differs for member ${userId}; the partition stays`)
  }
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({ verifiedPasses: pass.pass + 1 })
}
