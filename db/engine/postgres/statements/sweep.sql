-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.
with 
swept as materialized (
  select coalesce(:since::timestamptz, min("sweptTo")) as "sweptTo", product_now() as now from credit_sweeps
  where "firstBucket" between :firstBucket and :lastBucket
), planned as materialized (
  select
    case when (now - "sweptTo" >= interval '1140000 milliseconds') then 0 else floor(extract(epoch from "sweptTo" - date_bin(interval '1200000 milliseconds', "sweptTo", to_timestamp(0))))::integer end as "from",
    case when (now - "sweptTo" >= interval '1140000 milliseconds') or "cycleEnd" <= now then 1199
      else floor(extract(epoch from now - date_bin(interval '1200000 milliseconds', now, to_timestamp(0))))::integer end as "to",
    case when (now - "sweptTo" >= interval '1140000 milliseconds') then now else least(now, "cycleEnd") end as until, now
  from swept cross join lateral (select date_bin(interval '1200000 milliseconds', "sweptTo", to_timestamp(0)) + interval '1200000 milliseconds' as "cycleEnd") e
), range as materialized (
  select r.*, least(r."to", r."from" + :slots::integer - 1) as last from (
    select coalesce(:from::integer, "from") as "from", coalesce(:to::integer, "to") as "to",
      coalesce(:until::timestamptz, until) as until, now
    from planned
  ) r
), picked as materialized (
  select s.ctid as place, s.id, s."userId" from mining_sessions s
  where s.active and s."quarantinedAt" is null and s."creditedIntervals" < 72
    and s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' <= (select until from range) and s."creditSlot" between (select "from" from range) and (select last from range)
    and s.bucket between :firstBucket and :lastBucket limit :limit::integer
), 
due as (
  update mining_sessions s set
    "creditedIntervals" = s."creditedIntervals" + 1,
    "lastRewardTime" = s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds',
    "creditedAt" = statement_timestamp(),
    "lastRewardAmount" = case when s."hashRate" = 0 and s."tespAccrued" = 0 then 0 else
      div(s."tespAccrued" + s."hashRate" * (extract(epoch from s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' - s."rateSince") * 1000),
        0.036) * 0.00000001 end - s.reward,
    reward = case when s."hashRate" = 0 and s."tespAccrued" = 0 then 0 else
      div(s."tespAccrued" + s."hashRate" * (extract(epoch from s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' - s."rateSince") * 1000),
        0.036) * 0.00000001 end,
    "lastUsdtAmount" = case when s."usdtRate" = 0 and s."usdtAccrued" = 0 then 0 else
      div(s."usdtAccrued" + s."usdtRate" * (extract(epoch from s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' - s."rateSince") * 1000),
        0.036) * 0.00000001 end - s."usdtReward",
    "usdtReward" = case when s."usdtRate" = 0 and s."usdtAccrued" = 0 then 0 else
      div(s."usdtAccrued" + s."usdtRate" * (extract(epoch from s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' - s."rateSince") * 1000),
        0.036) * 0.00000001 end
  where s.active and s."quarantinedAt" is null and s."creditedIntervals" < 72
    and s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' <= (select until from range) and s.ctid = any(array(select place from picked))
  returning s.id, s.bucket, s."userId", s."creditedIntervals" as n, s."lastRewardTime" as "at",
    s."lastRewardAmount" as tesp, s."lastUsdtAmount" as usdt, s.active and s."quarantinedAt" is null and s."creditedIntervals" < 72
    and s."startTime" + (s."creditedIntervals" + 1) * interval '1200000 milliseconds' <= (select until from range) as "hasMore"
), paid as (
  update wallets set balance = balance + due.tesp
  -- In the order of members: neighbours share pages of wallets and of the ledger's index.
  from (select * from due order by "userId") due
  where wallets.bucket = due.bucket and wallets."userId" = due."userId"
  returning due.id, due.bucket, due."userId", due.n, due."at", due.tesp, wallets.id as "walletId", balance
), written as (
  insert into wallet_activity
    (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")
  select bucket, 'credit:' || paid.id || ':' || paid.n, "userId", "walletId",
    'mining_reward', tesp, 'TESP', '', "at", balance
  from paid
  union all
  -- A member without a wallet makes the statement fail here, so that no session advances unpaid.
  select bucket, '', "userId", null, 'mining_reward', tesp, 'TESP', '', "at", null
  from due where (select count(*) from paid) < (select count(*) from due)
), shared as (
  update mining_stats m set "pendingUsdtRewards" = m."pendingUsdtRewards" + due.usdt
  from due where m.bucket = due.bucket and m."userId" = due."userId" and due.usdt > 0
), counted as (
  update network_counters set "ledgerRows" = "ledgerRows" + t.total
  from (select count(*) as total from paid) t where bucket = :counterBucket::smallint and lane = :lane::smallint and t.total > 0
  returning bucket
), hours as (
  -- Reads "counted": whoever waits for the counter of others holds none of the hours they need next.
  insert into network_hours (bucket, hour, credits)
  select c.bucket, date_bin('1 hour', "at", to_timestamp(0)), count(*)
  from counted c, paid group by 1, 2 order by 2
  on conflict (bucket, hour) do update
    set credits = network_hours.credits + excluded.credits
),
batch as materialized (
  select r.*, d.*, p.*, d.credits < p.picks or p.picks = :limit or d."hasMore" as "isPartial"
  from range r,
    (select count(*) as credits, coalesce(bool_or("hasMore"), false) as "hasMore",
      coalesce(json_agg("userId"), '[]') as "memberIds" from due) d,
    (select count(*) as picks from picked) p
), recorded as (
  update credit_sweeps c set "sweptTo" = b.until from batch b, swept s
  where c."firstBucket" between :firstBucket and :lastBucket and c."sweptTo" >= s."sweptTo"
    and not b."isPartial" and b.last = b."to"
    and (b.credits > 0 or b.until < b.now
    or b.until not between c."sweptTo" and c."sweptTo" + interval '10000 milliseconds')
)
select "from", last, "to", (select "sweptTo" from swept) as since, until, until < now as "isBehind",
  "isPartial", picks, "memberIds"
from batch
