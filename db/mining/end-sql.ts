import { durationSql } from '#db/ledger/credits/interval-sql'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { bucketStatement } from '#db/postgres/statements/bucket-statement'
import { INTERVALS, SESSION_MS } from '#rules/constants'

/** A quarantined session waits for an operator. */
export const FULLY_CREDITED = `active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS}`

/**
 * Completes the sessions `s` in scope whose 72 intervals are credited. The counters are locked after the
 * stats, as in a claim, because they select from "mined".
 */
const endSteps = (scope: string) => `
  over as (
    update mining_sessions s set active = false, status = 'completed',
      "endTime" = "startTime" + ${durationSql(SESSION_MS)}, "rewardClaimed" = ("usdtReward" = 0)
    where ${FULLY_CREDITED} and ${scope}
    returning id, bucket, "userId", "endTime", reward, "hashRate"
  ), mined as (
    update mining_stats m set "totalMined" = m."totalMined" + over.reward, "updatedAt" = now()
    from over where m.bucket = over.bucket and m."userId" = over."userId"
    returning over."hashRate"
  ), left_network as (
    update network_counters set "activeSessions" = "activeSessions" - t.sessions,
      "activeRate" = "activeRate" - t.rate
    from (select count(*) as sessions, sum("hashRate") as rate from mined) t
    where ${COUNTER_SQL} and t.sessions > 0
  )`

const ENDED = `
  select coalesce(json_agg(id), '[]') as ids, coalesce(json_agg("userId"), '[]') as "userIds",
    coalesce(json_agg("endTime"), '[]') as "endTimes" from over`

/** Ends sessions of a bucket or range and returns one row, an `Ended`; their reminders follow in the transaction. */
export const endStatement = (name: string, scope: string) =>
  bucketStatement(name, () => ({ steps: endSteps(scope), answer: ENDED }), { isPlannedAnew: true })
