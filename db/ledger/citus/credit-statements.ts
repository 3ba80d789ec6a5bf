import { CREDIT_ROW, dueStep, paidStep, sharedStep } from '#db/ledger/credit-sql'
import { addInUtc } from '#db/ledger/interval-sql'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { ledgerIdSql } from '#rules/money/ledger-id'
import type { InBuckets } from './buckets-sql.ts'

/** The sessions to credit as SQL, and what to return about their credits. */
type CreditScopeSql = {
  /** Of the prepared statements; a list of sessions is not prepared (`LOCKED` of #db/ledger/ledger). */
  name?: string
  /** The condition of sessions `s`, and a common table expression that it reads. */
  scope: string
  before?: string
  /** The time at which they are due. */
  now: string
  /** Condition of sessions `s` that holds for all that were credited. */
  credited: string
  /** Columns that aggregate the credits, `due`. */
  answer: string
}

/**
 * The statements that credit the sessions of a scope on Citus. Each table names its buckets and no step
 * of the first one inserts: only such a statement is sent whole to the node that has the buckets.
 */
export type CreditStatements = { name?: string; credit: string; rows: string }

/** What the first statement returns beside the answer. */
export type CreditedBatch = {
  credited: number
  /** Real time of the credits, which marks their sessions; null without a credit. */
  creditedAt: string | null
  /** Hours, in seconds since 1970, of which `network_hours` had no row. */
  newHours: { hour: number; credits: number }[] | null
}

/** `creditSteps` without its inserts. Returns one row: a row for each credit would pass the coordinator. */
function creditSql({ now, scope, before = '', answer }: CreditScopeSql, isIn: InBuckets): string {
  const isSame = (alias: string) => `${isIn(`${alias}.shard`)} and ${alias}.shard = due.shard
      and ${alias}."userId" = due."userId"`
  return `
  with ${before} ${dueStep(now, `${scope} and ${isIn('s.shard')}`, addInUtc, ', s."creditedAt"')},
  ${paidStep(isSame)}, ${sharedStep(isSame)}, counted as (
    -- Null, which the column refuses, if a member has no wallet: no session advances unpaid.
    update network_counters
    set "ledgerRows" = case when t.paid = t.due then "ledgerRows" + t.paid end
    from (select (select count(*) from due) as due, (select count(*) from paid) as paid) t
    where ${COUNTER_SQL} and t.due > 0
  ), hours as (
    select date_bin('1 hour', "at", to_timestamp(0)) as hour, count(*)::integer as credits
    from due group by 1
  ), known as (
    update network_hours h set credits = h.credits + hours.credits
    from (select * from hours order by hour) hours
    where h.shard = :counterShard and h.hour = hours.hour returning h.hour
  )
  select count(*)::integer as credited, max("creditedAt")::text as "creditedAt", (
      select json_agg(json_build_object('hour', extract(epoch from hour), 'credits', credits)
        order by hour)
      from hours where hour not in (select hour from known)
    ) as "newHours", ${answer}
  from due`
}

/**
 * Writes the ledger rows of sessions that the same transaction has just credited: their locked rows and
 * wallets hold the amounts. A row that reads other rows of its node is written there without a copy
 * through the coordinator. The time of the credit finds them, so no list of them is sent. If another
 * batch had the same microsecond, the key of the ledger would refuse its rows.
 */
const rowsSql = (credited: string, isIn: InBuckets) => `
  insert into wallet_activity ${CREDIT_ROW.replace(')', ', seq)')}
  select s.shard, ${ledgerIdSql('credit', { sessionId: 's.id', n: 's."creditedIntervals"' })}, s."userId",
    w.id, 'mining_reward', s."lastRewardAmount", 'TESP', '', s."lastRewardTime", w.balance, :seq::bigint
  from mining_sessions s join wallets w on w.shard = s.shard and w."userId" = s."userId"
  where ${isIn('s.shard')} and ${isIn('w.shard')} and ${credited}
    and s."creditedAt" = :creditedAt::timestamptz`

/** The statements for the sessions of a scope, whose buckets `isIn` names. */
export function creditStatements(scope: CreditScopeSql, isIn: InBuckets): CreditStatements {
  const { name, credited } = scope
  const statements = { credit: creditSql(scope, isIn), rows: rowsSql(credited, isIn) }
  return name === undefined ? statements : { name, ...statements }
}
