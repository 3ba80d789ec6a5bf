import type { EngineFragments } from '#db/engine/engine'
import { durationSql } from '#db/postgres/statements/times'
import { HOUR_MS, INTERVAL_MS, INTERVALS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { COUNTER_SQL } from './network-counters.ts'

/** Credits store no description, which saves a sixth of the ledger; a range in the id marks a rolled-up row. */
export function descriptionSql(alias: string): string {
  return `case when ${alias}.description <> '' then ${alias}.description
    when ${alias}.id like '${ledgerIdLike('credit')}-%'
    then ${creditCountSql(`${alias}.id`)} || ' automatic mining credits'
    else 'Automatic mining credit' end`
}

/** Sessions `s` with an interval to credit at the SQL time `now`; a quarantined one waits for an operator. */
export function dueSql(now: string): string {
  return `s.active and s."quarantinedAt" is null and s."creditedIntervals" < ${INTERVALS}
      and ${nextIntervalEndSql('s')} <= ${now}`
}

/** SQL twin of `earnedAt` of #rules/money/mining: tokens earned until `end`. */
const earnedSql = (rate: string, accrued: string, end: string) =>
  `case when s."${rate}" = 0 and s."${accrued}" = 0 then 0 else
        div(s."${accrued}" + s."${rate}" * (extract(epoch from ${end} - s."rateSince") * 1000),
          ${HOUR_MS / 1e8}) * 0.00000001 end`

/**
 * CTEs that credit the next interval of the due sessions `s` in scope; `due` has a row for each credit: id, bucket,
 * userId, n, hasMore. Lock order, as everywhere: session, wallet, stats.
 *
 * Postgres evaluates the due condition again after waiting for a row, so two workers on the same
 * sessions credit once. The amounts are computed from the locked row, never from an earlier read.
 */
export function creditSteps(now: string, scope: string, fragments: EngineFragments): string {
  const end = nextIntervalEndSql('s')
  const tesp = earnedSql('hashRate', 'tespAccrued', end)
  const usdt = earnedSql('usdtRate', 'usdtAccrued', end)
  return `
  due as (
    update mining_sessions s set
      "creditedIntervals" = s."creditedIntervals" + 1,
      "lastRewardTime" = ${end},
      "creditedAt" = statement_timestamp(),
      "lastRewardAmount" = ${tesp} - s.reward,
      reward = ${tesp},
      "lastUsdtAmount" = ${usdt} - s."usdtReward",
      "usdtReward" = ${usdt}
    where ${dueSql(now)} and ${scope}
    returning s.id, s.bucket, s."userId", s."creditedIntervals" as n, s."lastRewardTime" as "at",
      s."lastRewardAmount" as tesp, s."lastUsdtAmount" as usdt, ${dueSql(now)} as "hasMore"
  ), paid as (
    update wallets set balance = balance + due.tesp${fragments.next}
    -- In the order of members: neighbours share pages of wallets and of the ledger's index.
    from (select * from due order by "userId") due
    where wallets.bucket = due.bucket and wallets."userId" = due."userId"
    returning due.id, due.bucket, due."userId", due.n, due."at", due.tesp, wallets.id as "walletId", balance
      ${fragments.returned}
  ), written as (
    insert into wallet_activity
      (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
        "balanceAfter"${fragments.column})
    select bucket, ${ledgerIdSql('credit', { sessionId: 'paid.id', n: 'paid.n' })}, "userId", "walletId",
      'mining_reward', tesp, 'TESP', '', "at", balance${fragments.column}
    from paid
    union all
    -- A member without a wallet makes the statement fail here, so that no session advances unpaid.
    select bucket, '', "userId", null, 'mining_reward', tesp, 'TESP', '', "at", null${fragments.absent}
    from due where (select count(*) from paid) < (select count(*) from due)
  ), shared as (
    update mining_stats m set "pendingUsdtRewards" = m."pendingUsdtRewards" + due.usdt
    from due where m.bucket = due.bucket and m."userId" = due."userId" and due.usdt > 0
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + t.total
    from (select count(*) as total from paid) t where ${COUNTER_SQL} and t.total > 0
    returning bucket
  ), hours as (
    -- Reads "counted": whoever waits for the counter of others holds none of the hours they need next.
    insert into network_hours (bucket, hour, credits)
    select c.bucket, date_bin('1 hour', "at", to_timestamp(0)), count(*)
    from counted c, paid group by 1, 2 order by 2
    on conflict (bucket, hour) do update
      set credits = network_hours.credits + excluded.credits
  )`
}

/** SQL twin of `intervalEnd` of #rules/money/mining: when interval `n` of the session `alias` ends. */
export function intervalEndSql(alias: string, n: string): string {
  return `${alias}."startTime" + ${n} * ${durationSql(INTERVAL_MS)}`
}

/** When the first interval of the session `alias` ends that is not credited yet. */
export function nextIntervalEndSql(alias: string): string {
  return intervalEndSql(alias, `(${alias}."creditedIntervals" + 1)`)
}

// SQL twins of `parseLedgerId` for ids of credits: `credit:71:3` and `credit:71:3-9`.

/** The session's number as text. */
export const sessionOfSql = (id: string) => `split_part(${id}, ':', 2)`

/** The first interval that a credit's row pays. */
export const firstIntervalSql = (id: string) =>
  `split_part(split_part(${id}, ':', 3), '-', 1)::integer`

/** The last interval that a credit's row pays: the first one if it is not rolled up. */
export const lastIntervalSql = (id: string) =>
  `split_part(split_part(${id}, ':', 3), '-', -1)::integer`

/** SQL twin of `creditCount` for ids of credits. */
export const creditCountSql = (id: string) =>
  `(${lastIntervalSql(id)} - ${firstIntervalSql(id)} + 1)`

/** A written credit: interval `n` of a session; `hasMore` if the next one is due as well. */
export type Credit = { sessionId: number; userId: number; n: number; hasMore: boolean }
