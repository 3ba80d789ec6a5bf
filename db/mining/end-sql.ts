import type { InBuckets } from '#db/ledger/citus/buckets-sql'
import { type AddSql, addInUtc, durationSql } from '#db/ledger/interval-sql'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { queueRemindersSql } from '#db/reminders/queue-sql'
import { INTERVALS, SESSION_MS } from '#rules/constants'

/** A quarantined session waits for an operator. */
export const FULLY_CREDITED = `active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS}`

const overStep = (scope: string, add: AddSql) => `
  over as (
    update mining_sessions s set active = false, status = 'completed',
      "endTime" = ${add('"startTime"', durationSql(SESSION_MS))}, "rewardClaimed" = ("usdtReward" = 0)
    where ${FULLY_CREDITED} and ${scope}
    returning id, shard, "userId", "endTime", reward, "hashRate"
  )`

/** The counters are locked after the stats, as in a claim, because they select from "mined". */
const countedSteps = (isIn: string) => `
  mined as (
    update mining_stats m set "totalMined" = m."totalMined" + over.reward, "updatedAt" = now()
    from over where ${isIn} m.shard = over.shard and m."userId" = over."userId"
    returning over."hashRate"
  ), left_network as (
    update network_counters set "activeSessions" = "activeSessions" - t.sessions,
      "activeRate" = "activeRate" - t.rate
    from (select count(*) as sessions, sum("hashRate") as rate from mined) t
    where ${COUNTER_SQL} and t.sessions > 0
  )`

/** Completes the sessions `s` in scope whose 72 intervals are credited, and queues their reminders. */
export const endSql = (scope: string) => `
  with ${overStep(scope, (time, duration) => `${time} + ${duration}`)},
  reminded as (${queueRemindersSql('over')}
  ), ${countedSteps('')}
  select "userId" from over`

/** The same on Citus, without the reminders, which are on the coordinator. */
export const splitEndSql = (scope: string, isIn: InBuckets) => `
  with ${overStep(`${scope} and ${isIn('s.shard')}`, addInUtc)},
  ${countedSteps(`${isIn('m.shard')} and`)}
  select id, "userId", "endTime" from over`
