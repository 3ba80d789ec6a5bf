with stopped as (
  update mining_sessions set active = false, status = 'stopped', "endTime" = :endTime,
    reward = :reward, "usdtReward" = :usdtReward, "rewardClaimed" = :rewardClaimed
  where bucket = :bucket and id = :sessionId returning id, bucket, "userId", active, status, "hashRate", reward,
"creditedIntervals", "lastRewardAmount", "tespAccrued", "usdtRate", "usdtAccrued", "usdtReward",
"startTime", "rateSince", "creditedAt"
), mined as (
  update mining_stats m set "pendingRewards" = m."pendingRewards" + :pendingTesp,
    "pendingUsdtRewards" = m."pendingUsdtRewards" + :pendingUsdt,
    "totalMined" = m."totalMined" + :reward, "updatedAt" = now()
  from stopped
  where m.bucket = :bucket and m.bucket = stopped.bucket and m."userId" = stopped."userId"
  returning stopped."hashRate", m."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime"
), counted as (
  update network_counters set "activeSessions" = "activeSessions" - 1,
    "activeRate" = "activeRate" - mined."hashRate"
  from mined where bucket = :counterBucket::smallint and lane = :lane::smallint
) select 
u."miningBoost", m."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime",
json_build_object('id', stopped.id, 'userId', stopped."userId", 'active', stopped.active,
  'status', stopped.status, 'hashRate', stopped."hashRate"::text, 'reward', stopped.reward::text,
  'creditedIntervals', stopped."creditedIntervals",
  'lastRewardAmount', stopped."lastRewardAmount"::text,
  'tespAccrued', stopped."tespAccrued"::text, 'usdtRate', stopped."usdtRate"::text,
  'usdtAccrued', stopped."usdtAccrued"::text, 'usdtReward', stopped."usdtReward"::text,
  'startTime', (extract(epoch from stopped."startTime") * 1000)::float8, 'rateSince', (extract(epoch from stopped."rateSince") * 1000)::float8,
  'creditedAt', (extract(epoch from stopped."creditedAt") * 1000)::float8) as session, (select product_now()) as "productNow",
(select speed from product_clock) as speed, (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
from stopped cross join mined m join users u on u.id = stopped."userId"
