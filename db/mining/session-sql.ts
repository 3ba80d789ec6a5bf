import { COUNTER_SQL } from '#db/ledger/network-counters'
import type { ClockRow } from '#db/postgres/connection/product-clock'
import { epochMs } from '#db/postgres/statements/times'
import type { MiningFacts, SessionFacts } from '#rules/money/mining-status'
import type { Money } from '#rules/money/money'
import type { SessionRow } from './sessions.ts'

/** Session columns in JSON: amounts as text, times in ms. */
type SessionJson = Pick<
  SessionRow,
  'id' | 'status' | 'hashRate' | 'reward' | 'creditedIntervals' | 'lastRewardAmount' | 'tespAccrued'
> & { startTime: number; rateSince: number; creditedAt: number | null }

/** The newest session of a member as JSON, of the table `s`. */
export const SESSION_JSON = `
  json_build_object('id', s.id, 'status', s.status, 'hashRate', s."hashRate"::text,
    'reward', s.reward::text, 'creditedIntervals', s."creditedIntervals",
    'lastRewardAmount', s."lastRewardAmount"::text, 'tespAccrued', s."tespAccrued"::text,
    'startTime', ${epochMs('s."startTime"')}, 'rateSince', ${epochMs('s."rateSince"')},
    'creditedAt', ${epochMs('s."creditedAt"')})`

export const STATS = 'm."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime"'

/** What a status shows besides the session: `STATS`, and the user's boost. */
export type StatusColumns = {
  miningBoost: Money
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
}

/** The facts of a mining status. */
export function factsOf(row: StatusColumns, session: SessionFacts | null): MiningFacts {
  return {
    miningBoost: Number(row.miningBoost),
    pendingRewards: row.pendingRewards,
    pendingUsdtRewards: row.pendingUsdtRewards,
    lastClaimedAt: row.lastClaimTime?.getTime() ?? null,
    session,
  }
}

/** The facts of a session, given by its row or as JSON. */
export function sessionFacts(stored: SessionJson | SessionRow): SessionFacts {
  const { id, status, reward, creditedIntervals, lastRewardAmount, creditedAt } = stored
  const since = Number(stored.rateSince)
  return {
    id,
    status,
    reward,
    creditedIntervals,
    lastRewardAmount,
    tesp: { rate: stored.hashRate, since, accrued: stored.tespAccrued },
    startedAt: Number(stored.startTime),
    creditedAtReal: creditedAt === null ? null : Number(creditedAt),
  }
}

/** A row of a snapshot: what the screens of a member show. */
export type SnapshotRow = StatusColumns &
  ClockRow & {
    memberId: number
    authEpoch: number
    walletId: number
    walletName: string
    balance: Money
    usdtBalance: Money
    session: SessionJson | null
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
