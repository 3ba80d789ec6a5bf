import { COUNTER_SQL } from '#db/ledger/network-counters'
import type { ClockRow } from '#db/postgres/connection/product-clock'
import { epochMs } from '#db/postgres/statements/times'
import type { MiningFacts } from '#rules/money/mining-status'
import type { Money } from '#rules/money/money'

/** The newest session of a member as JSON, of the table `s`. */
export const SESSION_JSON = `
  json_build_object('id', s.id, 'status', s.status, 'hashRate', s."hashRate"::text,
    'reward', s.reward::text, 'creditedIntervals', s."creditedIntervals",
    'lastRewardAmount', s."lastRewardAmount"::text, 'tespAccrued', s."tespAccrued"::text,
    'startTime', ${epochMs('s."startTime"')}, 'rateSince', ${epochMs('s."rateSince"')},
    'creditedAt', ${epochMs('s."creditedAt"')})`

export const STATS = 'm."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime"'

/** What a status shows besides the session: `STATS`, and the user's boost. */
export type StatusColumns = Omit<MiningFacts, 'session'>

/** A row of a snapshot: what the screens of a member show. */
export type SnapshotRow = MiningFacts &
  ClockRow & {
    memberId: number
    authEpoch: number
    walletId: number
    walletName: string
    balance: Money
    usdtBalance: Money
  }

/** Ends a session, adds to what is pending and counts it, in the order of locks. Each table names its bucket. */
export const STOP_SQL = `
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
    from mined where ${COUNTER_SQL}
  ) select 1 from mined`
