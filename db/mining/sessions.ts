import { creditIntervals } from '#db/ledger/ledger'
import { countMining, memberBucket } from '#db/ledger/network-counters'
import type { Db, Tx } from '#db/postgres/transaction'
import { INTERVALS } from '#rules/constants'
import { usdtRateOf } from '#rules/milestones'
import { type Accrual, changeRate, creditSlot, hashRateOf, sessionTime } from '#rules/mining'
import { type Money, minus, times } from '#rules/money'
import { RuleError } from '#rules/rule-error'

/** A row of mining_sessions, as far as rules need it. */
export type SessionRow = {
  id: number
  userId: number
  startTime: Date
  active: boolean
  status: 'active' | 'stopped' | 'completed'
  hashRate: Money
  reward: Money
  creditedIntervals: number
  creditedAt: Date | null
  lastRewardAmount: Money
  rateSince: Date
  tespAccrued: Money
  usdtRate: Money
  usdtAccrued: Money
  usdtReward: Money
  quarantinedAt: Date | null
}

/** What a session earns of each token, as the pure rules take it. */
export function accruals(row: SessionRow): { tesp: Accrual; usdt: Accrual } {
  const since = row.rateSince.getTime()
  return {
    tesp: { rate: row.hashRate, since, accrued: row.tespAccrued },
    usdt: { rate: row.usdtRate, since, accrued: row.usdtAccrued },
  }
}

/** TESP and USDT an hour of a member with that boost and that many paid milestones. */
export function ratesOf(member: { miningBoost: Money; teamLevel: number }): {
  hashRate: Money
  usdtRate: Money
} {
  const hashRate = hashRateOf(member.miningBoost)
  return { hashRate, usdtRate: times(hashRate, usdtRateOf(member.teamLevel)) }
}

/** Locks the member's running session until the transaction ends. */
export async function lockActiveSession(tx: Tx, memberId: number): Promise<SessionRow | undefined> {
  return tx('mining_sessions').where({ userId: memberId, active: true }).forUpdate().first()
}

const endSql = (scope: string) => `
  with over as (
    update mining_sessions set active = false, status = 'completed',
      "endTime" = "startTime" + interval '24 hours', "rewardClaimed" = ("usdtReward" = 0)
    where active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS} and ${scope}
    returning "userId", reward, "hashRate"
  ), mined as (
    update mining_stats m set "totalMined" = m."totalMined" + over.reward, "updatedAt" = now()
    from over where m."userId" = over."userId"
    returning over."hashRate"
  ), left_network as (
    -- From "mined", so that the counters are locked after the stats, as a claim does.
    update network_counters set "activeSessions" = "activeSessions" - t.sessions,
      "activeRate" = "activeRate" - t.rate
    from (select count(*) as sessions, sum("hashRate") as rate from mined) t
    where bucket = :bucket and t.sessions > 0
  )
  select "userId" from over`

const OVER = `"startTime" <= (select product_now()) - interval '24 hours'`
const END_ALL_SQL = endSql(OVER)
const END_MANY_SQL = endSql('id = any(:sessionIds)')
const END_ONE_SQL = endSql('id = :sessionId')

/** A session by its id, and whose it is: its counters are those of its member. */
type SessionOf = Pick<SessionRow, 'id' | 'userId' | 'quarantinedAt'>

/**
 * Ends the sessions that were credited all 72 intervals, all of them or one; returns their members.
 */
export async function endSessions(db: Db, session?: SessionOf): Promise<number[]> {
  const { rows } = await db.raw(session ? END_ONE_SQL : END_ALL_SQL, {
    ...(session && { sessionId: session.id }),
    bucket: memberBucket(session?.userId ?? 0),
  })
  return rows.map((row: { userId: number }) => row.userId)
}

/** Likewise for these sessions only, to find the one that breaks the statement for all. */
export async function endSessionsByIds(db: Db, sessionIds: number[]): Promise<number[]> {
  const { rows } = await db.raw(END_MANY_SQL, { sessionIds, bucket: memberBucket(0) })
  return rows.map((row: { userId: number }) => row.userId)
}

/** The sessions that `endSessions` would end. */
export async function finishedSessions(db: Db): Promise<{ sessionId: number; userId: number }[]> {
  const { rows } = await db.raw(
    `select id as "sessionId", "userId" from mining_sessions
     where active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS} and ${OVER}`,
  )
  return rows
}

/**
 * Credits every interval of a locked session that ended by `now`, exactly as the workers would
 * have, and ends it after the last one. Returns the session as it stands then.
 * @throws {RuleError} `session_quarantined`
 */
export async function settleSession(tx: Tx, session: SessionOf, now: number): Promise<SessionRow> {
  const { id, userId: memberId } = session
  if (session.quarantinedAt) {
    const text = 'Mining is paused while we check your session. Nothing is lost.'
    throw new RuleError('session_quarantined', text)
  }
  while ((await creditIntervals(tx, { sessionId: id, memberId }, now)).length > 0) {
    // one interval a turn
  }
  await endSessions(tx, session)
  return tx('mining_sessions').where({ id }).first()
}

/**
 * Gives the member's running session, if there is one, the rates of their boost and level from
 * `now` on; what was earned until then stays earned at the old ones (rules.md: Earning).
 */
export async function rerateSession(
  tx: Tx,
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
): Promise<void> {
  const locked = await lockActiveSession(tx, member.id)
  // A quarantined session gets the current rates when it is released.
  if (!locked || locked.quarantinedAt) return
  const session = await settleSession(tx, locked, now)
  if (!session.active) return
  const { hashRate, usdtRate } = ratesOf(member)
  const { tesp, usdt } = accruals(session)
  const at = sessionTime(session.startTime.getTime(), session.creditedIntervals, now)
  await tx('mining_sessions')
    .where({ id: session.id })
    .update({
      hashRate,
      usdtRate,
      rateSince: new Date(Math.max(at, tesp.since)),
      tespAccrued: changeRate(tesp, hashRate, at).accrued,
      usdtAccrued: changeRate(usdt, usdtRate, at).accrued,
    })
  await countMining(tx, member.id, 0, minus(hashRate, session.hashRate))
}

/** Columns of a session that starts at `now` for that member. */
export function newSession(
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
) {
  return {
    userId: member.id,
    startTime: new Date(now),
    rateSince: new Date(now),
    creditSlot: creditSlot(now),
    ...ratesOf(member),
  }
}
