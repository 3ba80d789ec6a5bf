import type { Db } from '#db/postgres/transaction'
import { type MiningFacts, miningStatus } from '#rules/mining-status'
import type { Money } from '#rules/money'
import type { Activity, ActivityPage, MiningStatus, Wallet } from '#rules/snapshots'
import { accruals, type SessionRow } from './sessions.ts'

/** Everything that a member's screens show, read in one statement. */
export type MemberSnapshot = {
  memberId: number
  mining: MiningStatus
  wallet: Wallet
  activity: ActivityPage
}

type Row = {
  memberId: number
  miningBoost: Money
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
  walletId: number
  walletName: string
  balance: Money
  usdtBalance: Money
  session: (SessionJson & { id: number }) | null
  activity: ActivityJson[]
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
type ActivityJson = Omit<Activity, 'timestamp'> & { at: number; seq: number }

const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const ACTIVITY_JSON = `json_build_object('id', a.id, 'type', a.type, 'amount', a.amount::text,
  'tokenType', a."tokenType", 'description', a.description, 'at', ${epochMs('a."createdAt"')},
  'seq', a.seq)`

/** Snapshots of many members in one query, with `limit` rows of activity each. */
const SNAPSHOT_SQL = `
  select u.id as "memberId", u."miningBoost", m."pendingRewards", m."pendingUsdtRewards",
    m."lastClaimTime", w.id as "walletId", w.name as "walletName", w.balance, w."usdtBalance",
    s.session, coalesce(l.activity, '[]') as activity, c.now as "productNow", c.speed,
    ${epochMs('statement_timestamp()')} as "asOf"
  from users u
  join wallets w on w."userId" = u.id
  join mining_stats m on m."userId" = u.id
  cross join (select product_now() as now, (select speed from product_clock) as speed) c
  left join lateral (
    select json_build_object('id', s.id, 'userId', s."userId", 'active', s.active,
      'status', s.status, 'hashRate', s."hashRate"::text, 'reward', s.reward::text,
      'creditedIntervals', s."creditedIntervals", 'lastRewardAmount', s."lastRewardAmount"::text,
      'tespAccrued', s."tespAccrued"::text, 'usdtRate', s."usdtRate"::text,
      'usdtAccrued', s."usdtAccrued"::text, 'usdtReward', s."usdtReward"::text,
      'startTime', ${epochMs('s."startTime"')}, 'rateSince', ${epochMs('s."rateSince"')},
      'creditedAt', ${epochMs('s."creditedAt"')}) as session
    from mining_sessions s where s."userId" = u.id order by s.id desc limit 1
  ) s on true
  left join lateral (
    select json_agg(row order by "createdAt" desc, seq desc) as activity from (
      select a."createdAt", a.seq, ${ACTIVITY_JSON} as row from wallet_activity a
      where a."userId" = u.id order by a."createdAt" desc, a.seq desc limit :limit
    ) newest
  ) l on :limit > 0
  where u.id = any(:ids)`

function miningFacts(row: Row): MiningFacts {
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

function baseFacts(row: Row): Omit<MiningFacts, 'session'> {
  return {
    miningBoost: Number(row.miningBoost),
    pendingRewards: row.pendingRewards,
    pendingUsdtRewards: row.pendingUsdtRewards,
    lastClaimedAt: row.lastClaimTime?.getTime() ?? null,
  }
}

function activityView({ at, seq: _seq, ...rest }: ActivityJson): Activity {
  return { ...rest, timestamp: new Date(at).toISOString() }
}

function pageOf(rows: ActivityJson[], limit: number, asOf: number): ActivityPage {
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { items: rows.map(activityView), next: last ? `${last.at}.${last.seq}` : null, asOf }
}

function snapshotView(row: Row, limit: number): MemberSnapshot {
  const { asOf, speed } = row
  const now = row.productNow.getTime()
  const entry = { id: row.walletId, name: row.walletName, balance: row.balance }
  return {
    memberId: row.memberId,
    mining: miningStatus(miningFacts(row), { now, speed, asOf }),
    wallet: { tesp: [entry], usdtBalance: row.usdtBalance, asOf },
    activity: pageOf(row.activity, limit, asOf),
  }
}

/**
 * The snapshots of many members in one query, in no particular order.
 * @param activityLimit rows of the newest page of activity; 0 omits the page
 */
export async function readSnapshots(
  db: Db,
  memberIds: number[],
  activityLimit: number,
): Promise<MemberSnapshot[]> {
  const { rows } = await db.raw(SNAPSHOT_SQL, { ids: memberIds, limit: activityLimit })
  return rows.map((row: Row) => snapshotView(row, activityLimit))
}

/** The snapshot of one existing member. */
export async function readSnapshot(
  db: Db,
  memberId: number,
  activityLimit = 0,
): Promise<MemberSnapshot> {
  const [snapshot] = await readSnapshots(db, [memberId], activityLimit)
  if (!snapshot) throw new Error(`no member ${memberId}`)
  return snapshot
}

/** Continues a page of activity after the row with this time (ms) and posting number (`seq`). */
export type ActivityCursor = { at: number; seq: number }

/** Parses a page's `next` cursor; undefined for any other text. */
export function parseCursor(text: string): ActivityCursor | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\.(\d{1,15})$/.exec(text)
  return match ? { at: Number(match[1]), seq: Number(match[2]) } : undefined
}

/** One page of a member's ledger, newest first. */
export async function readActivity(
  db: Db,
  memberId: number,
  limit: number,
  before?: ActivityCursor,
): Promise<ActivityPage> {
  const { rows } = await db.raw(
    `select ${ACTIVITY_JSON} as row, ${epochMs('statement_timestamp()')} as "asOf"
     from wallet_activity a
     where a."userId" = :memberId and (:at::timestamptz is null
       or (a."createdAt", a.seq) < (:at::timestamptz, :seq::bigint))
     order by a."createdAt" desc, a.seq desc limit :limit`,
    {
      memberId,
      limit,
      at: before ? new Date(before.at) : null,
      seq: before?.seq ?? 0,
    },
  )
  if (rows.length > 0) {
    const items = rows.map(({ row }: { row: ActivityJson }) => row)
    return pageOf(items, limit, rows[0].asOf)
  }
  const empty = await db.raw(`select ${epochMs('statement_timestamp()')} as "asOf"`)
  return { items: [], next: null, asOf: empty.rows[0].asOf }
}
