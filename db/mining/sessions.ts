import { durationSql } from '#db/ledger/interval-sql'
import { creditAllDue } from '#db/ledger/ledger'
import { COUNTER_SQL, countMining, memberCounter } from '#db/ledger/network-counters'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from '#db/ledger/session-keys'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { queueRemindersSql } from '#db/reminders/queue-sql'
import { bucketOf, memberKey } from '#rules/buckets'
import { INTERVALS, SESSION_MS } from '#rules/constants'
import { usdtRateOf } from '#rules/money/milestones'
import {
  type Accrual,
  changeRate,
  creditSlot,
  hashRateOf,
  intervalsEnded,
  sessionTime,
} from '#rules/money/mining'
import { type Money, minus, times } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { recordRate } from './session-rates.ts'

/** The columns of `mining_sessions` that the rules need. */
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

/** The accruals of both tokens of a session, as the pure rules take them. */
export function accruals(row: SessionRow): { tesp: Accrual; usdt: Accrual } {
  const since = row.rateSince.getTime()
  return {
    tesp: { rate: row.hashRate, since, accrued: row.tespAccrued },
    usdt: { rate: row.usdtRate, since, accrued: row.usdtAccrued },
  }
}

/** Rates in TESP and USDT per hour for a boost and a number of paid milestones (`teamLevel`). */
export function ratesOf(member: { miningBoost: Money; teamLevel: number }): {
  hashRate: Money
  usdtRate: Money
} {
  const hashRate = hashRateOf(member.miningBoost)
  return { hashRate, usdtRate: times(hashRate, usdtRateOf(member.teamLevel)) }
}

/** A running session that is locked until the transaction ends, and product time (ms) after that. */
export type LockedSession = { session: SessionRow; now: number }

/**
 * The subquery keeps the lock below the clock, which is read once the row is locked. The columns are
 * named because a prepared statement fails when `*` gains a column.
 */
const LOCK_SQL = `
  select s.*, product_now() as now from (
    select id, "userId", "startTime", active, status, "hashRate", reward, "creditedIntervals",
      "creditedAt", "lastRewardAmount", "rateSince", "tespAccrued", "usdtRate", "usdtAccrued",
      "usdtReward", "quarantinedAt"
    from mining_sessions where shard = :shard and "userId" = :userId and active for update
  ) s`

/** Locks the member's running session, if any. */
export async function lockActiveSession(
  tx: Tx,
  memberId: number,
): Promise<LockedSession | undefined> {
  const { rows } = await prepared(tx, 'lock-session', LOCK_SQL, memberKey(memberId))
  const row: (SessionRow & { now: Date }) | undefined = rows[0]
  return row && { session: row, now: row.now.getTime() }
}

/** A quarantined session waits for an operator. */
const FULLY_CREDITED = `active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS}`

const endSql = (scope: string) => `
  with over as (
    update mining_sessions set active = false, status = 'completed',
      "endTime" = "startTime" + ${durationSql(SESSION_MS)}, "rewardClaimed" = ("usdtReward" = 0)
    where ${FULLY_CREDITED} and ${scope}
    returning id, shard, "userId", "endTime", reward, "hashRate"
  ), ${queueRemindersSql('over')}, mined as (
    update mining_stats m set "totalMined" = m."totalMined" + over.reward, "updatedAt" = now()
    from over where m.shard = over.shard and m."userId" = over."userId"
    returning over."hashRate"
  ), left_network as (
    -- Selects from "mined" so that the counters are locked after the stats, as in a claim.
    update network_counters set "activeSessions" = "activeSessions" - t.sessions,
      "activeRate" = "activeRate" - t.rate
    from (select count(*) as sessions, sum("hashRate") as rate from mined) t
    where ${COUNTER_SQL} and t.sessions > 0
  )
  select "userId" from over`

const OVER = `"startTime" <= (select product_now()) - ${durationSql(SESSION_MS)}`
const END_ALL_SQL = endSql(OVER)
const END_MANY_SQL = endSql(oneOfSessionsSql('shard', 'id'))
const END_ONE_SQL = endSql('shard = :shard and id = :sessionId')

/** A session, its member, whose counter it uses, and whether it is quarantined. */
type SessionRef = Pick<SessionRow, 'id' | 'userId' | 'quarantinedAt'>

/**
 * Completes sessions whose 72 intervals are credited: all of them, or only `session`.
 * @returns the ids of their members
 */
export async function endSessions(db: Db, session?: SessionRef): Promise<number[]> {
  const { rows } = await db.raw(session ? END_ONE_SQL : END_ALL_SQL, {
    ...(session && { shard: bucketOf(session.userId), sessionId: session.id }),
    ...memberCounter(session?.userId ?? 0),
  })
  return rows.map((row: { userId: number }) => row.userId)
}

/** Completes these sessions only, to isolate one that breaks the statement for all. */
export async function endTheseSessions(db: Db, sessions: SessionKey[]): Promise<number[]> {
  const bindings = { ...sessionKeys(sessions), ...memberCounter(0) }
  const { rows } = await db.raw(END_MANY_SQL, bindings)
  return rows.map((row: { userId: number }) => row.userId)
}

/** The sessions that `endSessions` would end. */
export async function finishedSessions(db: Db): Promise<SessionKey[]> {
  const { rows } = await db.raw(
    `select id as "sessionId", "userId" from mining_sessions
     where ${FULLY_CREDITED} and ${OVER}`,
  )
  return rows
}

/**
 * Credits every interval of a locked session that ended by `now` (product time, ms) with the
 * statement of the workers, and completes the session after interval 72.
 * @returns the session after that
 * @throws {RuleError} `session_quarantined`
 */
export async function settleSession(tx: Tx, session: SessionRow, now: number): Promise<SessionRow> {
  const { id, userId: memberId, startTime, creditedIntervals } = session
  if (session.quarantinedAt) {
    const text = 'Mining is paused while we check your session. Nothing is lost.'
    throw new RuleError('session_quarantined', text)
  }
  const ended = intervalsEnded(startTime.getTime(), now)
  if (ended <= creditedIntervals && creditedIntervals < INTERVALS) return session
  await creditAllDue(tx, { sessionId: id, memberId }, now)
  await endSessions(tx, session)
  return tx('mining_sessions')
    .where({ ...memberKey(memberId), id })
    .first()
}

/**
 * Applies the rates of the member's boost and level to their running session, if any, from `now`
 * (product time, ms) on. Earnings until `now` stay at the old rates (rules.md: Earning).
 */
export async function rerateSession(
  tx: Tx,
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
): Promise<void> {
  const locked = await lockActiveSession(tx, member.id)
  // A quarantined session gets the current rates when it is released.
  if (!locked || locked.session.quarantinedAt) return
  const session = await settleSession(tx, locked.session, now)
  if (!session.active) return
  const { hashRate, usdtRate } = ratesOf(member)
  const { tesp, usdt } = accruals(session)
  const at = sessionTime(session.startTime.getTime(), session.creditedIntervals, now)
  await recordRate(tx, session)
  await tx('mining_sessions')
    .where({ ...memberKey(member.id), id: session.id })
    .update({
      hashRate,
      usdtRate,
      rateSince: new Date(Math.max(at, tesp.since)),
      tespAccrued: changeRate(tesp, hashRate, at).accrued,
      usdtAccrued: changeRate(usdt, usdtRate, at).accrued,
    })
  await countMining(tx, member.id, 0, minus(hashRate, session.hashRate))
}

/** Columns of a new session of the member that starts at `now` (product time, ms). */
export function newSession(
  member: { id: number; miningBoost: Money; teamLevel: number },
  now: number,
) {
  return {
    ...memberKey(member.id),
    startTime: new Date(now),
    rateSince: new Date(now),
    creditSlot: creditSlot(now),
    ...ratesOf(member),
  }
}
