with started as (
  insert into mining_sessions
    (bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
  values (:bucket, :userId, :startTime, :rateSince, :creditSlot, :hashRate, :usdtRate)
  on conflict (bucket, "userId") where active do nothing returning id, bucket, "userId", active, status, "hashRate", reward,
"creditedIntervals", "lastRewardAmount", "tespAccrued", "usdtRate", "usdtAccrued", "usdtReward",
"startTime", "rateSince", "creditedAt"
), counted as (
  update network_counters set "activeSessions" = "activeSessions" + 1,
    "activeRate" = "activeRate" + started."hashRate"
  from (select "hashRate" from started) started where bucket = :counterBucket::smallint and lane = :lane::smallint
)
select 
u."miningBoost", m."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime",
json_build_object('id', started.id, 'userId', started."userId", 'active', started.active,
  'status', started.status, 'hashRate', started."hashRate"::text, 'reward', started.reward::text,
  'creditedIntervals', started."creditedIntervals",
  'lastRewardAmount', started."lastRewardAmount"::text,
  'tespAccrued', started."tespAccrued"::text, 'usdtRate', started."usdtRate"::text,
  'usdtAccrued', started."usdtAccrued"::text, 'usdtReward', started."usdtReward"::text,
  'startTime', (extract(epoch from started."startTime") * 1000)::float8, 'rateSince', (extract(epoch from started."rateSince") * 1000)::float8,
  'creditedAt', (extract(epoch from started."creditedAt") * 1000)::float8) as session, (select product_now()) as "productNow",
(select speed from product_clock) as speed, (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
from started
join users u on u.id = started."userId"
join mining_stats m on m.bucket = started.bucket and m."userId" = started."userId"
