/** Adds the sessions of `source` to the totals of their members. */
export const addTotalsSql = (
  source: string,
) => `insert into folded_sessions as f (bucket, "userId", "lastId", sessions, "creditedIntervals", reward,
      "usdtReward", "firstStart", "lastEnd")
  select bucket, "userId", max(id), count(*), sum("creditedIntervals"), sum(reward),
    sum("usdtReward"), min("startTime"), max("endTime")
  from ${source} group by bucket, "userId"
  on conflict (bucket, "userId") do update set
    "lastId" = greatest(f."lastId", excluded."lastId"),
    sessions = f.sessions + excluded.sessions,
    "creditedIntervals" = f."creditedIntervals" + excluded."creditedIntervals",
    reward = f.reward + excluded.reward,
    "usdtReward" = f."usdtReward" + excluded."usdtReward",
    "firstStart" = least(f."firstStart", excluded."firstStart"),
    "lastEnd" = greatest(f."lastEnd", excluded."lastEnd")`
