import { engineOf, type Locked } from '#db/engine/engine'
import { post } from '#db/ledger/ledger'
import { memberCounter } from '#db/ledger/network-counters'
import { lockStatement } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import { pipelineCommit, type Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { remainingText } from '#rules/duration-text'
import { ledgerId } from '#rules/money/ledger-id'
import { earnedAt, sessionTime } from '#rules/money/mining'
import { claimCooldown, type Moment, miningStatus } from '#rules/money/mining-status'
import { isPositive, type Money, minus, sum } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { Activity, ClaimResult, MiningStatus } from '#rules/snapshots'
import { STATS, type StatusColumns } from './session-sql.ts'
import {
  accruals,
  lockActiveSession,
  newSession,
  type RunningSession,
  type Starter,
  settleSession,
} from './sessions.ts'

/** What a start reads under its lock, and when. */
type ToStart = Starter & Moment

/** The bindings of `Engine.startSession` for a session that starts now, and the status with it. */
export function startedSession(starter: ToStart) {
  const { memberId, sessionId: id, now } = starter
  const values = newSession(starter, now)
  const none = {
    tespAccrued: sum(),
    reward: sum(),
    creditedIntervals: 0,
    lastRewardAmount: sum(),
    creditedAt: null,
  }
  const session = { ...values, ...none, id, status: 'active' } as const
  return {
    values: { ...values, ...memberCounter(memberId) },
    status: miningStatus({ ...starter, session }, starter),
  }
}

async function insertSession(tx: Tx, starter: ToStart): Promise<MiningStatus> {
  const { values, status } = startedSession(starter)
  await pipelineCommit(tx, (await engineOf(tx)).startSession(tx, values))
  return status
}

/** Locks what `startMining` needs. */
export async function lockStarter(tx: Tx, memberId: number): Promise<ToStart> {
  return (await engineOf(tx)).lockStarter(tx, memberId)
}

/**
 * Starts the member's 24-hour session at the rate of their boost; one whose 24 hours are over is ended first.
 * @param locked sent before by a caller that has something to send with it
 * @param onSettled called if an earlier session was ended first, which may have paid credits
 * @throws {RuleError} `mining_active`
 */
export async function startMining(
  tx: Tx,
  memberId: number,
  locked = lockStarter(tx, memberId),
  onSettled = () => {},
): Promise<MiningStatus> {
  const starter = await locked
  if (!starter.isMining) return insertSession(tx, starter)
  const running = await lockActiveSession(tx, memberId)
  if (running && (await settleSession(tx, running.row, running.now))) {
    throw new RuleError('mining_active', 'Mining is already active')
  }
  onSettled()
  return insertSession(tx, await lockStarter(tx, memberId))
}

/** Bindings of `Engine.stopSession` for a settled session, whose uncredited rest becomes pending, and the status. */
export function stoppedSession(session: RunningSession, moment: Moment) {
  const { userId: memberId } = session
  const end = sessionTime(session.startTime.getTime(), session.creditedIntervals, moment.now)
  const { tesp, usdt } = accruals(session)
  const reward = earnedAt(tesp, end)
  const usdtReward = earnedAt(usdt, end)
  const pendingTesp = minus(reward, session.reward)
  const pendingUsdt = minus(usdtReward, session.usdtReward)
  const values = {
    ...memberKey(memberId),
    sessionId: session.id,
    endTime: new Date(end),
    reward,
    usdtReward,
    rewardClaimed: !isPositive(pendingTesp) && !isPositive(usdtReward),
    pendingTesp,
    pendingUsdt,
    ...memberCounter(memberId),
  }
  const pending = {
    pendingRewards: sum(session.pendingRewards, pendingTesp),
    pendingUsdtRewards: sum(session.pendingUsdtRewards, pendingUsdt),
  }
  const stopped = { ...session, status: 'stopped', reward } as const
  return { values, status: miningStatus({ ...session, ...pending, session: stopped }, moment) }
}

/**
 * Stops the member's session: ended intervals are credited, the earnings of the unfinished one become pending.
 * @param locked as in `startMining`
 * @throws {RuleError} `mining_inactive`
 */
export async function stopMining(
  tx: Tx,
  memberId: number,
  locked = lockActiveSession(tx, memberId),
): Promise<MiningStatus> {
  const stopped = await stopIfActive(tx, memberId, locked)
  if (!stopped) throw new RuleError('mining_inactive', 'Mining is not active')
  return stopped
}

/** As `stopMining`, but undefined instead of an error when no session runs. */
export async function stopIfActive(
  tx: Tx,
  memberId: number,
  locked = lockActiveSession(tx, memberId),
): Promise<MiningStatus | undefined> {
  const running = await locked
  if (!running) return undefined
  const session = await settleSession(tx, running.row, running.now)
  if (!session) return undefined
  const { values, status } = stoppedSession(session, running)
  await pipelineCommit(tx, (await engineOf(tx)).stopSession(tx, values))
  return status
}

/** Locks the wallet, then the stats. */
const LOCK_CLAIM = lockStatement(
  'lock-claim',
  `with wallet as materialized (
    select bucket, "userId" from wallets where bucket = :bucket and "userId" = :userId for update
  )
  select ${STATS}, m.claims
  from wallet join mining_stats m on m.bucket = wallet.bucket and m."userId" = wallet."userId"
  where m.bucket = :bucket for update of m`,
)

const END_CLAIM_SQL = `
  with claimed as (
    update mining_stats set "pendingRewards" = 0, "pendingUsdtRewards" = 0,
      "lastClaimTime" = :at, claims = :claim, "updatedAt" = now()
    where bucket = :bucket and "userId" = :userId returning bucket, "userId"
  )
  update mining_sessions s set "rewardClaimed" = true from claimed
  where s.bucket = :bucket and s.bucket = claimed.bucket and s."userId" = claimed."userId"
    and not s.active and not s."rewardClaimed"`

type Claim = Omit<StatusColumns, 'miningBoost'> & { claims: number }

/** Locks what `claimRewards` needs. */
export async function lockClaim(tx: Tx, memberId: number): Promise<Locked<Claim> | undefined> {
  return (await engineOf(tx)).readLocked<Claim>(tx, LOCK_CLAIM, memberKey(memberId))
}

/**
 * Moves all pending TESP and USDT into the wallet (rules.md: Claiming); `waiting` as `locked` in `startMining`.
 * @throws {RuleError} `nothing_to_claim`, `claim_cooldown` (with the real time to wait, ms)
 */
export async function claimRewards(
  tx: Tx,
  memberId: number,
  waiting = lockClaim(tx, memberId),
): Promise<ClaimResult> {
  const locked = await waiting
  if (!locked) throw new Error(`no wallet of member ${memberId}`)
  const { row: stats, now, speed } = locked
  const { pendingRewards: tesp, pendingUsdtRewards: usdt } = stats
  if (!isPositive(tesp) && !isPositive(usdt)) {
    throw new RuleError('nothing_to_claim', 'No rewards to claim')
  }
  const left = claimCooldown(stats.lastClaimTime, now)
  if (left > 0) {
    const time = remainingText(left)
    const text = `Please wait ${time} before claiming again`
    throw new RuleError('claim_cooldown', text, left / speed, { time })
  }
  const claim = stats.claims + 1
  const pay = (token: 'TESP' | 'USDT', amount: Money, type: Activity['type']) =>
    post(tx, {
      id: ledgerId('claim', { memberId, claim, token }),
      userId: memberId,
      at: now,
      token,
      amount,
      type,
      description: token === 'TESP' ? 'Claimed mining rewards' : 'Claimed USDT rewards',
    })
  await Promise.all([
    isPositive(tesp) && pay('TESP', tesp, 'mining_reward'),
    isPositive(usdt) && pay('USDT', usdt, 'usdt_reward'),
  ])
  const claimed = { ...memberKey(memberId), at: new Date(now), claim }
  await pipelineCommit(tx, prepared(tx, 'end-claim', END_CLAIM_SQL, claimed))
  return { claimedTesp: tesp, claimedUsdt: usdt }
}
