import { COUNTER_SQL } from '#db/ledger/network-counters'
import { NUMBERING } from '#db/ledger/numbering'
import type { Engine } from '#db/postgres/statements/bucket-statement'
import { HOUR_MS, INTERVALS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'
import { creditCountSql } from './credit-range-sql.ts'
import { nextIntervalEndSql } from './interval-sql.ts'

/**
 * The description of the ledger row `alias`. Rows of credits store none, which saves a sixth of the
 * ledger's bytes; those with a range in their id are rolled up.
 */
export function descriptionSql(alias: string): string {
  return `case when ${alias}.description <> '' then ${alias}.description
    when ${alias}.id like '${ledgerIdLike('credit')}-%'
    then ${creditCountSql(`${alias}.id`)} || ' automatic mining credits'
    else 'Automatic mining credit' end`
}

/**
 * Condition of sessions `s` with an interval to credit at the SQL time `now`; a quarantined one waits
 * for an operator.
 */
export function dueSql(now: string): string {
  return `s.active and s."quarantinedAt" is null and s."creditedIntervals" < ${INTERVALS}
      and ${nextIntervalEndSql('s')} <= ${now}`
}

/** SQL twin of `earnedAt` of #rules/mining: tokens earned until `end`. */
const earnedSql = (rate: string, accrued: string, end: string) =>
  `case when s."${rate}" = 0 and s."${accrued}" = 0 then 0 else
        div(s."${accrued}" + s."${rate}" * (extract(epoch from ${end} - s."rateSince") * 1000),
          ${HOUR_MS / 1e8}) * 0.00000001 end`

/**
 * Common table expressions that credit the next interval of the due sessions `s` in scope: sessions
 * advance, wallets rise, ledger rows are written, USDT shares become pending. `due` has a row for
 * each credit: id, bucket, userId, n, hasMore. Lock order, as everywhere: session, wallet, stats.
 *
 * Postgres evaluates the due condition again after waiting for a row, so two workers on the same
 * sessions credit once. The amounts are computed from the locked row, never from an earlier read.
 */
export function creditSteps(now: string, scope: string, engine: Engine): string {
  const numbering = NUMBERING[engine]
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
    update wallets set balance = balance + due.tesp${numbering.next}
    -- In the order of members: neighbours share pages of wallets and of the ledger's index.
    from (select * from due order by "userId") due
    where wallets.bucket = due.bucket and wallets."userId" = due."userId"
    returning due.id, due.bucket, due."userId", due.n, due."at", due.tesp, wallets.id as "walletId", balance
      ${numbering.returned}
  ), written as (
    insert into wallet_activity
      (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
        "balanceAfter"${numbering.column})
    select bucket, ${ledgerIdSql('credit', { sessionId: 'paid.id', n: 'paid.n' })}, "userId", "walletId",
      'mining_reward', tesp, 'TESP', '', "at", balance${numbering.column}
    from paid
    union all
    -- A member without a wallet makes the statement fail here, so that no session advances unpaid.
    select bucket, '', "userId", null, 'mining_reward', tesp, 'TESP', '', "at", null${numbering.absent}
    from due where (select count(*) from paid) < (select count(*) from due)
  ), shared as (
    update mining_stats m set "pendingUsdtRewards" = m."pendingUsdtRewards" + due.usdt
    from due where m.bucket = due.bucket and m."userId" = due."userId" and due.usdt > 0
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + t.total
    from (select count(*) as total from paid) t where ${COUNTER_SQL} and t.total > 0
  ), hours as (
    insert into network_hours (bucket, hour, credits)
    select :counterBucket::smallint, date_bin('1 hour', "at", to_timestamp(0)), count(*)
    from paid group by 2 order by 2
    on conflict (bucket, hour) do update
      set credits = network_hours.credits + excluded.credits
  )`
}
