import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf, bucketSql } from '#rules/buckets'
import { type MiningFacts, miningStatus, unchangedMs } from '#rules/money/mining-status'
import type { Money } from '#rules/money/money'
import type { MiningStatus, Wallet } from '#rules/snapshots'
import { epochMs } from './activity.ts'
import { accruals, type SessionRow } from './sessions.ts'

/** What a member's status and wallet show, read in one statement. */
export type MemberSnapshot = {
  memberId: number
  /** A sign-in of another epoch has ended. */
  authEpoch: number
  mining: MiningStatus
  wallet: Wallet
  /** Real ms for which mining and wallet stay as they are unless somebody writes. */
  unchangedMs: number
}

/** A row of the snapshot statements. */
export type SnapshotRow = {
  memberId: number
  authEpoch: number
  miningBoost: Money
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
  walletId: number
  walletName: string
  balance: Money
  usdtBalance: Money
  session: (SessionJson & { id: number }) | null
  productNow: Date
  speed: number
  asOf: number
}

/** Session columns in JSON: amounts as text, times in ms. */
type SessionJson = Omit<SessionRow, 'startTime' | 'rateSince' | 'creditedAt'> & {
  startTime: number
  rateSince: number
  creditedAt: number | null
}

/**
 * Snapshots of the members in `scope`, given their bucket as SQL. It does not touch the ledger, whose
 * partitions cost planning.
 */
const snapshotSql = (scope: string, bucket: string) => `
  select u.id as "memberId", u."authEpoch", u."miningBoost", m."pendingRewards", m."pendingUsdtRewards",
    m."lastClaimTime", w.id as "walletId", w.name as "walletName", w.balance, w."usdtBalance",
    s.session, c.now as "productNow", c.speed, ${epochMs('statement_timestamp()')} as "asOf"
  from users u
  join wallets w on w.shard = ${bucket} and w."userId" = u.id
  join mining_stats m on m.shard = ${bucket} and m."userId" = u.id
  cross join (select product_now() as now, (select speed from product_clock) as speed) c
  left join lateral (
    select json_build_object('id', s.id, 'userId', s."userId", 'active', s.active,
      'status', s.status, 'hashRate', s."hashRate"::text, 'reward', s.reward::text,
      'creditedIntervals', s."creditedIntervals", 'lastRewardAmount', s."lastRewardAmount"::text,
      'tespAccrued', s."tespAccrued"::text, 'usdtRate', s."usdtRate"::text,
      'usdtAccrued', s."usdtAccrued"::text, 'usdtReward', s."usdtReward"::text,
      'startTime', ${epochMs('s."startTime"')}, 'rateSince', ${epochMs('s."rateSince"')},
      'creditedAt', ${epochMs('s."creditedAt"')}) as session
    from mining_sessions s where s.shard = ${bucket} and s."userId" = u.id
    order by s.id desc limit 1
  ) s on true
  where ${scope}`

/** For one member Postgres soon keeps a generic plan; a list has another length each time. */
export const ONE_SNAPSHOT_SQL = snapshotSql('u.id = :id', ':shard')
const SNAPSHOTS_SQL = snapshotSql('u.id = any(:ids)', bucketSql('u.id'))

function miningFacts(row: SnapshotRow): MiningFacts {
  const { session: stored } = row
  if (!stored) return { ...baseFacts(row), session: null }
  const started = new Date(stored.startTime)
  const times = { startTime: started, rateSince: new Date(stored.rateSince), creditedAt: null }
  const { tesp } = accruals({ ...stored, ...times })
  const { id, status, reward, creditedIntervals, lastRewardAmount } = stored
  const session = { id, status, reward, creditedIntervals, lastRewardAmount, tesp }
  return {
    ...baseFacts(row),
    session: { ...session, startedAt: stored.startTime, creditedAtReal: stored.creditedAt },
  }
}

function baseFacts(row: SnapshotRow): Omit<MiningFacts, 'session'> {
  return {
    miningBoost: Number(row.miningBoost),
    pendingRewards: row.pendingRewards,
    pendingUsdtRewards: row.pendingUsdtRewards,
    lastClaimedAt: row.lastClaimTime?.getTime() ?? null,
  }
}

/** What a row says to the member's screens. */
export function snapshotView(row: SnapshotRow): MemberSnapshot {
  const { asOf, speed } = row
  const now = row.productNow.getTime()
  const entry = { id: row.walletId, name: row.walletName, balance: row.balance }
  const facts = miningFacts(row)
  const moment = { now, speed, asOf }
  return {
    memberId: row.memberId,
    authEpoch: row.authEpoch,
    mining: miningStatus(facts, moment),
    wallet: { tesp: [entry], usdtBalance: row.usdtBalance, asOf },
    unchangedMs: unchangedMs(facts, moment),
  }
}

/** The snapshots of many members in one query, in no particular order. */
export async function readSnapshots(db: Db, memberIds: number[]): Promise<MemberSnapshot[]> {
  const [id, ...others] = memberIds
  if (id === undefined) return []
  const { rows } =
    others.length === 0
      ? await prepared(db, 'member-snapshot', ONE_SNAPSHOT_SQL, { id, shard: bucketOf(id) })
      : await prepared(db, 'member-snapshots', SNAPSHOTS_SQL, { ids: memberIds })
  return rows.map(snapshotView)
}

/** The snapshot of one existing member. */
export async function readSnapshot(db: Db, memberId: number): Promise<MemberSnapshot> {
  const [snapshot] = await readSnapshots(db, [memberId])
  if (!snapshot) throw new Error(`no member ${memberId}`)
  return snapshot
}
