import { CREDIT_ROW, dueStep, paidStep, sharedStep } from '#db/ledger/credit-sql'
import { addInUtc } from '#db/ledger/interval-sql'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { ledgerIdSql } from '#rules/money/ledger-id'
import type { InBuckets } from './buckets-sql.ts'

/**
 * The statements that credit the sessions of a scope on Citus. Each table names its buckets and no step
 * of the first one inserts: only such a statement is sent whole to the node that has the buckets.
 * `name` is of the prepared statements; a list of sessions is not prepared (`LOCKED` of #db/ledger/ledger).
 */
export type CreditStatements = { name?: string; credit: string; rows: string }

/** Condition of sessions `s`, a common table expression that it reads, and the time at which they are due. */
type CreditScopeSql = { scope: string; before?: string; now: string; name?: string }

/**
 * `creditSteps` without its inserts. Returns a row for each credit: sessionId, userId, n, hasMore, the
 * place of the session in its table, and the hour in which the interval ended, counted from 1970.
 */
function creditSql({ now, scope, before = '' }: CreditScopeSql, isIn: InBuckets): string {
  const isSame = (alias: string) => `${isIn(`${alias}.shard`)} and ${alias}.shard = due.shard
      and ${alias}."userId" = due."userId"`
  return `
  with ${before} ${dueStep(now, `${scope} and ${isIn('s.shard')}`, addInUtc, ', s.ctid::text as place')}, ${paidStep(isSame)},
  ${sharedStep(isSame)}, counted as (
    -- Null, which the column refuses, if a member has no wallet: no session advances unpaid.
    update network_counters
    set "ledgerRows" = case when t.paid = t.due then "ledgerRows" + t.paid end
    from (select (select count(*) from due) as due, (select count(*) from paid) as paid) t
    where ${COUNTER_SQL} and t.due > 0
  )
  select id as "sessionId", "userId", n, "hasMore", place,
    floor(extract(epoch from "at") / 3600)::integer as hour
  from due`
}

/**
 * Writes the ledger rows of sessions that the same transaction has just credited: their locked rows and
 * wallets hold the amounts. A row that reads other rows of its node is written there without a copy
 * through the coordinator. Sessions are found by place, because ids would be looked up in each bucket,
 * and known by id, because buckets of a shard that was split have the same places twice.
 */
const rowsSql = (isIn: InBuckets) => `
  insert into wallet_activity ${CREDIT_ROW.replace(')', ', seq)')}
  select s.shard, ${ledgerIdSql('credit', { sessionId: 's.id', n: 's."creditedIntervals"' })}, s."userId",
    w.id, 'mining_reward', s."lastRewardAmount", 'TESP', '', s."lastRewardTime", w.balance, :seq::bigint
  from mining_sessions s join wallets w on w.shard = s.shard and w."userId" = s."userId"
  where ${isIn('s.shard')} and ${isIn('w.shard')} and s.ctid = any(:creditedAt::tid[])
    and s.id = any(:credited::bigint[])`

/** The statements for the sessions of a scope, whose buckets `isIn` names. */
export function creditStatements(scope: CreditScopeSql, isIn: InBuckets): CreditStatements {
  const { name } = scope
  const statements = { credit: creditSql(scope, isIn), rows: rowsSql(isIn) }
  return name === undefined ? statements : { name, ...statements }
}
