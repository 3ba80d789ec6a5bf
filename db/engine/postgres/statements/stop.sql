-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.
with stopped as (
  update mining_sessions set active = false, status = 'stopped', "endTime" = :endTime,
    reward = :reward, "usdtReward" = :usdtReward, "rewardClaimed" = :rewardClaimed
  where bucket = :bucket and id = :sessionId returning bucket, "userId", "hashRate"
), mined as (
  update mining_stats m set "pendingRewards" = m."pendingRewards" + :pendingTesp,
    "pendingUsdtRewards" = m."pendingUsdtRewards" + :pendingUsdt,
    "totalMined" = m."totalMined" + :reward, "updatedAt" = now()
  from stopped
  where m.bucket = :bucket and m.bucket = stopped.bucket and m."userId" = stopped."userId"
  returning stopped."hashRate"
), counted as (
  update network_counters set "activeSessions" = "activeSessions" - 1,
    "activeRate" = "activeRate" - mined."hashRate"
  from mined where bucket = :counterBucket::smallint and lane = :lane::smallint
) select 1 from mined
