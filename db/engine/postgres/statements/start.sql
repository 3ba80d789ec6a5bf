-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.
with started as (
  insert into mining_sessions
    (id, bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
  values (:sessionId, :bucket, :userId, :startTime, :rateSince, :creditSlot, :hashRate, :usdtRate)
)
update network_counters set "activeSessions" = "activeSessions" + 1,
  "activeRate" = "activeRate" + :hashRate where bucket = :counterBucket::smallint and lane = :lane::smallint
