import { bucketSql } from '#rules/buckets'
import { ledgerIdLike } from '#rules/money/ledger-id'
import type { Partition } from './audit-step.ts'

/**
 * Balances of one partition by member and token: the first and last row in the order of posting, the balance before
 * the first, sums (`other` is what sessions did not earn), and rows that do not continue the balance before them.
 */
const stretchesOf = ({ name }: Partition) => `
  select "userId", usdt, min(seq) as first, max(seq) as last,
    sum(amount) as total, coalesce(sum(amount) filter (where other), 0) as other,
    min("walletId") as "walletId", max("walletId") as "otherWalletId",
    max("balanceAfter" - amount) filter (where previous is null) as "balanceBefore",
    count(*) filter (where "balanceAfter" <> previous + amount) as broken,
    count(*) filter (where bucket is distinct from ${bucketSql('"userId"')}) as misplaced
  from (
    select bucket, "userId", usdt, seq, amount, "balanceAfter", "walletId", other,
      lag("balanceAfter") over (partition by "userId", usdt order by seq) as previous
    from (
      select *, "tokenType" = 'USDT' as usdt, id not like '${ledgerIdLike('credit')}'
        and id not like '${ledgerIdLike('claim')}' as other
      from ${name}
    ) a
  ) b group by 1, 2`

/** Reads each ledger row once: the CTEs `stretches` and `sums` of `BALANCE_RULES`. */
export const balanceTables = (partitions: Partition[]) => `
  stretches as materialized (${partitions.map(stretchesOf).join(' union all ')}),
  sums as materialized (
    select "userId", usdt, sum(total) as total, sum(total - other) as "fromSessions"
    from stretches group by 1, 2)`

const earnedRule = (reward: string, pending: string, isToken: string) => `
    select "userId", m.${pending}, e.earned, s."fromSessions" as received
    from mining_stats m
    left join (
      select "userId", sum(${reward}) as earned from (
        select "userId", ${reward} from mining_sessions
        union all select "userId", ${reward} from folded_sessions
      ) sessions group by 1
    ) e using ("userId")
    left join (select * from sums where ${isToken}) s using ("userId")
    where coalesce(e.earned, 0) <> coalesce(s."fromSessions", 0) + m.${pending}`

/** Rules about the amounts of ledger rows. */
export const BALANCE_RULES: Record<string, string> = {
  'a balance is the sum of its ledger rows': `
    select w."userId", t.token, t.balance, coalesce(s.total, 0) as "sumOfRows"
    from wallets w
    cross join lateral (values ('TESP', w.balance), ('USDT', w."usdtBalance")) t(token, balance)
    left join sums s on s."userId" = w."userId" and s.usdt = (t.token = 'USDT')
    where t.balance <> coalesce(s.total, 0)`,
  // Stretches that follow each other prove the running sum. Rows of two days that were posted in
  // turn (a late credit) prove nothing, so the rows of that wallet are summed one by one.
  'balanceAfter is the running sum': `
    select r.* from (
      select "userId", usdt from (
        select *, lag(last) over posted as "lastBefore",
          coalesce(sum(total) over (posted rows between unbounded preceding and 1 preceding), 0)
            as "totalBefore"
        from stretches window posted as (partition by "userId", usdt order by first)
      ) s
      where broken > 0 or "balanceBefore" <> "totalBefore" or first < "lastBefore"
      group by 1, 2
    ) suspect
    cross join lateral (
      select id, "userId", "tokenType", "balanceAfter", sum(amount) over (order by seq) as running
      from wallet_activity a
      where a.bucket = ${bucketSql('suspect."userId"')} and a."userId" = suspect."userId"
        and (a."tokenType" = 'USDT') = suspect.usdt
    ) r
    where r."balanceAfter" <> r.running`,
  'a ledger row belongs to its member and wallet': `
    select s."userId", s."walletId", s."otherWalletId" from stretches s
    left join wallets w on w."userId" = s."userId" and w.id = s."walletId"
      and w.id = s."otherWalletId"
    where w.id is null`,
  'each ledger row has the bucket of its member': `
    select "userId", misplaced from stretches where misplaced > 0`,
  'what sessions earned is in wallets or pending': earnedRule(
    'reward',
    '"pendingRewards"',
    'not usdt',
  ),
  'the USDT share of sessions is in wallets or pending': earnedRule(
    '"usdtReward"',
    '"pendingUsdtRewards"',
    'usdt',
  ),
}
