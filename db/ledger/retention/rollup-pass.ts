import { durationSql } from '#db/ledger/interval-sql'
import type { Tx } from '#db/postgres/transaction'
import { DAY_MS } from '#rules/constants'
import { ledgerIdSql } from '#rules/ledger-id'
import { type LedgerPartition, rolledName } from './ledger-partition.ts'
import { passRowsSql } from './source-sql.ts'

/** The part of a partition that one transaction handles: members with `userId % passes = pass`. */
export type Pass = { passes: number; pass: number }

/**
 * For one transaction. The sort of a pass spills to temporary files beyond 128 MB. No parallel
 * workers: credits need the rest of the machine.
 */
const SETTINGS = `
  set local statement_timeout = 0;
  set local jit = off;
  set local work_mem = '128MB';
  set local maintenance_work_mem = '128MB';
  set local max_parallel_workers_per_gather = 0`

export async function useBatchSettings(tx: Tx): Promise<void> {
  await tx.raw(SETTINGS)
}

const WALLET = `window wallet as (partition by "userId", "tokenType" order by seq)`
const dayOf = (time: string) => `date_bin(${durationSql(DAY_MS)}, ${time}, to_timestamp(0))`

/**
 * Members with a negative correction since the partition began. Rows of other days change the balance
 * between two credits and so end a run, unless they add up to zero; only these members have any.
 */
const CORRECTED = `
  select a."userId" from generate_series(1, (select last_value from correction_numbers)) n
  join ledger_facts f on f.id = ${ledgerIdSql('correction', { number: 'n' })}
  join wallet_activity a on a.id = f.id and a."createdAt" = f."createdAt"
  where f."createdAt" >= :from and a.amount < 0`

/**
 * True for a credit that continues the row before it in its wallet: the next interval of the same
 * session on the same UTC day, and nothing was posted in between. Credits whose rate is not known
 * could not be recomputed.
 */
const CONTINUES = `coalesce(
    session = "previousSession" and first = "previousLast" + 1
    and "balanceAfter" - amount = "previousBalance"
    and ${dayOf('"createdAt"')} = ${dayOf('"previousTime"')}, false)
  and session not in (select "sessionId"::text from mining_rates where "hashRate" is null)
  and "userId" not in (select "userId" from corrected)`

/**
 * Writes each run of credits as its last row, with the sum of the run, and every other row as it is.
 * A run's sum is the balance after it less the balance before it. One sort; the windows share it.
 */
export const rollUpSql = (table: string, rolled: string) => `
  with corrected as materialized (${CORRECTED}), source as (${passRowsSql(table)}), linked as (
    select *, lag(session) over wallet as "previousSession", lag(last) over wallet as "previousLast",
      lag("balanceAfter") over wallet as "previousBalance",
      lag("createdAt") over wallet as "previousTime"
    from source ${WALLET}
  ), runs as (
    select *, ${CONTINUES} as continues from linked
  ), ends as (
    select *, lead(continues, 1, false) over wallet as "isContinued" from runs ${WALLET}
  ), rolled as (
    select *, lag("balanceAfter" - amount) over wallet as "balanceBefore",
      lag(first) over wallet as "firstOfRun"
    from ends where not (continues and "isContinued") ${WALLET}
  )
  insert into "${rolled}"
    (id, "userId", "walletId", type, amount, "tokenType", description, "createdAt", "balanceAfter", seq)
  select
    case when continues then ${ledgerIdSql('creditRange', {
      sessionId: 'session',
      from: '"firstOfRun"',
      to: 'last',
    })} else id end,
    "userId", "walletId", type,
    case when continues then "balanceAfter" - "balanceBefore" else amount end, "tokenType",
    case when continues then '' else description end, "createdAt", "balanceAfter", seq
  from rolled where not "isContinued"`

/** Rolls up the credits of the members of one pass, and records it in the same transaction. */
export async function rollUpPass(tx: Tx, partition: LedgerPartition, pass: Pass): Promise<void> {
  const { name, from } = partition
  await useBatchSettings(tx)
  await tx.raw(rollUpSql(name, rolledName(partition)), { ...pass, from })
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({ rolledPasses: pass.pass + 1, copiedBy: tx.raw('pg_current_xact_id()') })
}
