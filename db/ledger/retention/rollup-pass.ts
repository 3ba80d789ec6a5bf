import { useBatchSettings } from '#db/ledger/batch-settings'
import { durationSql } from '#db/ledger/interval-sql'
import type { Tx } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { type LedgerPartition, rolledName } from './ledger-partition.ts'
import { passRowsSql } from './source-sql.ts'

/** The part of a partition that one transaction handles: members with `userId % passes = pass`. */
export type Pass = { passes: number; pass: number }

/** Credits whose rate is not known could not be recomputed. */
const UNKNOWN = `select "sessionId"::text from mining_rates where "hashRate" is null`

/**
 * Members with a negative correction since the partition began. Rows of other days change the balance
 * between two credits, unless they add up to zero; only these members can have any that do.
 */
const CORRECTED_SQL = `
  select distinct a."userId" from generate_series(1, (select last_value from correction_numbers)) n
  join ledger_facts f on f.id = ${ledgerIdSql('correction', { number: 'n' })}
    and f.id like '${ledgerIdLike('correction')}'
  join wallet_activity a on a.shard = f.shard and a.id = f.id and a."createdAt" = f."createdAt"
  where f."createdAt" >= ? and a.amount < 0`

async function correctedMembers(tx: Tx, from: string): Promise<number[]> {
  const { rows } = await tx.raw(CORRECTED_SQL, [from])
  return rows.map(({ userId }: { userId: number }) => userId)
}

const IS_USABLE = `session not in (${UNKNOWN}) and "userId" <> all(:corrected::integer[])`
const DAY = `date_bin(${durationSql(DAY_MS)}, "createdAt", to_timestamp(0))`

/**
 * Sessions whose credits of a day are one run: all intervals between the first and the last one, and
 * nothing else was posted to the wallet meanwhile, because the balance rose by their sum. Most are.
 */
const WHOLE = `
  select "userId", "walletId", "tokenType", session, ${DAY} as day,
    min(first) as first, max(last) as last, sum(amount) as amount, max("createdAt") as "createdAt",
    max("balanceAfter") as "balanceAfter", max(seq) as seq
  from source where session is not null and ${IS_USABLE}
  group by 1, 2, 3, 4, 5
  having count(*) > 1 and sum(last - first + 1) = max(last) - min(first) + 1
    and max("balanceAfter") - min("balanceAfter" - amount) = sum(amount)`

const WALLET = `window wallet as (partition by "userId", "tokenType" order by seq)`

/**
 * True for a credit that continues the row before it in its wallet: the next interval of the same
 * session on the same day, and nothing was posted in between.
 */
const CONTINUES = `coalesce(
    session = "previousSession" and first = "previousLast" + 1 and day = "previousDay"
    and "balanceAfter" - amount = "previousBalance", false) and ${IS_USABLE}`

const BUCKET = bucketSql('"userId"')

const rangeIdSql = (first: string) =>
  ledgerIdSql('creditRange', { sessionId: 'session', from: first, to: 'last' })

/**
 * Writes each run of credits as its last row, with the sum of the run, and every other row as it is.
 * Sessions that are one run are summed at once; of the others each run is found row by row, and its
 * sum is the balance after it less the balance before it.
 */
export const rollUpSql = (table: string, rolled: string) => `
  with source as not materialized (${passRowsSql(table)}),
  whole as materialized (${WHOLE}),
  rest as (
    select * from (select *, ${DAY} as day from source) s where not exists (
      select from whole w where w.session = s.session and w.day = s.day)
  ), linked as (
    select *, lag(session) over wallet as "previousSession", lag(last) over wallet as "previousLast",
      lag("balanceAfter") over wallet as "previousBalance", lag(day) over wallet as "previousDay"
    from rest ${WALLET}
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
    (shard, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter", seq)
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
  await useBatchSettings(tx)
  await tx.raw(rollUpSql(name, rolledName(partition)), { ...pass, corrected })
  await tx('ledger_rollups')
    .where({ partition: name })
    .update({ rolledPasses: pass.pass + 1, copiedBy: tx.raw('pg_current_xact_id()') })
}
