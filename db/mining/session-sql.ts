import { COUNTER_SQL } from '#db/ledger/network-counters'
import { epochMs } from '#db/wallet/activity'
import { type MiningFacts, type Moment, miningStatus } from '#rules/money/mining-status'
import type { Money } from '#rules/money/money'
import type { MiningStatus } from '#rules/snapshots'
import { accruals, type SessionRow } from './sessions.ts'

/** Session columns in JSON: amounts as text, times in ms. */
type SessionJson = Omit<SessionRow, 'startTime' | 'rateSince' | 'creditedAt'> & {
  startTime: number
  rateSince: number
  creditedAt: number | null
}

/** The facts of a mining status, as `statusColumns` selects them. */
export type StatusRow = {
  miningBoost: Money
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
  session: SessionJson | null
  productNow: Date
  speed: number
  asOf: number
}

/** A session as JSON, of columns of this table or of rows that a statement has just written. */
export const sessionJson = (row: string) => `
  json_build_object('id', ${row}.id, 'userId', ${row}."userId", 'active', ${row}.active,
    'status', ${row}.status, 'hashRate', ${row}."hashRate"::text, 'reward', ${row}.reward::text,
    'creditedIntervals', ${row}."creditedIntervals",
    'lastRewardAmount', ${row}."lastRewardAmount"::text,
    'tespAccrued', ${row}."tespAccrued"::text, 'usdtRate', ${row}."usdtRate"::text,
    'usdtAccrued', ${row}."usdtAccrued"::text, 'usdtReward', ${row}."usdtReward"::text,
    'startTime', ${epochMs(`${row}."startTime"`)}, 'rateSince', ${epochMs(`${row}."rateSince"`)},
    'creditedAt', ${epochMs(`${row}."creditedAt"`)})`

/** The columns that `sessionJson` needs, for `returning`. */
const SESSION_COLUMNS = `id, bucket, "userId", active, status, "hashRate", reward,
  "creditedIntervals", "lastRewardAmount", "tespAccrued", "usdtRate", "usdtAccrued", "usdtReward",
  "startTime", "rateSince", "creditedAt"`

export const STATS = 'm."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime"'
export const MOMENT = `(select product_now()) as "productNow",
  (select speed from product_clock) as speed, ${epochMs('statement_timestamp()')} as "asOf"`

/**
 * Columns of a `StatusRow`, of a user `u`, stats `m` and a session as JSON. A command that writes
 * these rows selects them in the same statement, so its answer takes no read of its own.
 */
export const statusColumns = (session: string) => `
  u."miningBoost", ${STATS},
  ${session} as session, ${MOMENT}`

/** The facts that a row holds, and the moment at which it was read. */
export function factsOf(row: StatusRow): { facts: MiningFacts; moment: Moment } {
  const { session: stored, asOf, speed } = row
  const facts: MiningFacts = {
    miningBoost: Number(row.miningBoost),
    pendingRewards: row.pendingRewards,
    pendingUsdtRewards: row.pendingUsdtRewards,
    lastClaimedAt: row.lastClaimTime?.getTime() ?? null,
    session: stored && sessionFacts(stored),
  }
  return { facts, moment: { now: row.productNow.getTime(), speed, asOf } }
}

function sessionFacts(stored: SessionJson): MiningFacts['session'] {
  const started = new Date(stored.startTime)
  const times = { startTime: started, rateSince: new Date(stored.rateSince), creditedAt: null }
  const { tesp } = accruals({ ...stored, ...times })
  const { id, status, reward, creditedIntervals, lastRewardAmount } = stored
  const session = { id, status, reward, creditedIntervals, lastRewardAmount, tesp }
  return { ...session, startedAt: stored.startTime, creditedAtReal: stored.creditedAt }
}

/** The mining status that a row shows. */
export function statusOf(row: StatusRow): MiningStatus {
  const { facts, moment } = factsOf(row)
  return miningStatus(facts, moment)
}

/** A row of a snapshot: what the screens of a member show. */
export type SnapshotRow = StatusRow & {
  memberId: number
  authEpoch: number
  walletId: number
  walletName: string
  balance: Money
  usdtBalance: Money
}

/** Inserts a session unless another one runs. */
export const STARTED = `
    insert into mining_sessions
      (bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
    values (:bucket, :userId, :startTime, :rateSince, :creditSlot, :hashRate, :usdtRate)
    on conflict (bucket, "userId") where active do nothing returning ${SESSION_COLUMNS}`

/**
 * Ends a session. Updates "mined" from "stopped" and the counters from "mined", in the order of locks. Each table names
 * its bucket, so that Citus sends these steps to one node.
 */
export const STOPPED = `
  with stopped as (
    update mining_sessions set active = false, status = 'stopped', "endTime" = :endTime,
      reward = :reward, "usdtReward" = :usdtReward, "rewardClaimed" = :rewardClaimed
    where bucket = :bucket and id = :sessionId returning ${SESSION_COLUMNS}
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
    from mined where ${COUNTER_SQL}
  )`
