import { engineOf } from '#db/engine/engine'
import { post } from '#db/ledger/ledger'
import { memberCounter } from '#db/ledger/network-counters'
import { lockStatement, readClockSpeed } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { remainingText } from '#rules/duration-text'
import { ledgerId } from '#rules/money/ledger-id'
import { earnedAt, sessionTime } from '#rules/money/mining'
import { claimCooldown } from '#rules/money/mining-status'
import { isPositive, type Money, minus } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { ClaimResult, MiningStatus } from '#rules/snapshots'
import { accruals, lockActiveSession, newSession, settleSession } from './sessions.ts'

const alreadyActive = () => new RuleError('mining_active', 'Mining is already active')
const notActive = () => new RuleError('mining_inactive', 'Mining is not active')

/** The boost cannot change until commit, and the clock is read once the row is locked. */
const STARTER_SQL = `
  select m.*, product_now() as now from (
    select id, "miningBoost", "teamLevel" from users where id = :memberId for share
  ) m`

type Starter = { id: number; miningBoost: Money; teamLevel: number }

/** Inserts the session and counts it, unless another one runs; returns the status if it did. */
async function insertSession(
  tx: Tx,
  member: Starter,
  now: number,
): Promise<MiningStatus | undefined> {
  const values = { ...newSession(member, now), ...memberCounter(member.id) }
  return (await engineOf(tx)).startSession(tx, values)
}

/**
 * Starts the member's 24-hour session at the rate of their boost. A session whose 24 hours are over
 * but which no worker has ended yet is ended first.
 * @returns the status after it
 * @throws {RuleError} `mining_active`
 */
export async function startMining(tx: Tx, memberId: number): Promise<MiningStatus> {
  const { rows } = await prepared(tx, 'lock-starter', STARTER_SQL, { memberId })
  const member: Starter & { now: Date } = rows[0]
  const started = await insertSession(tx, member, member.now.getTime())
  if (started) return started
  const running = await lockActiveSession(tx, memberId)
  if (running && (await settleSession(tx, running.session, running.now)).active) {
    throw alreadyActive()
  }
  const restarted = await insertSession(tx, member, running?.now ?? member.now.getTime())
  if (!restarted) throw alreadyActive()
  return restarted
}

/**
 * Stops the member's session: ended intervals are credited, the earnings of the unfinished one
 * become pending.
 * @returns the status after it
 * @throws {RuleError} `mining_inactive`
 */
export async function stopMining(tx: Tx, memberId: number): Promise<MiningStatus> {
  const stopped = await stopIfActive(tx, memberId)
  if (!stopped) throw notActive()
  return stopped
}

/** As `stopMining`, but undefined instead of an error when no session runs. */
export async function stopIfActive(tx: Tx, memberId: number): Promise<MiningStatus | undefined> {
  const running = await lockActiveSession(tx, memberId)
  if (!running) return undefined
  const session = await settleSession(tx, running.session, running.now)
  if (!session.active) return undefined
  const end = sessionTime(session.startTime.getTime(), session.creditedIntervals, running.now)
  const { tesp, usdt } = accruals(session)
  const reward = earnedAt(tesp, end)
  const usdtReward = earnedAt(usdt, end)
  const pendingTesp = minus(reward, session.reward)
  const values = {
    ...memberKey(memberId),
    sessionId: session.id,
    endTime: new Date(end),
    reward,
    usdtReward,
    rewardClaimed: !isPositive(pendingTesp) && !isPositive(usdtReward),
    pendingTesp,
    pendingUsdt: minus(usdtReward, session.usdtReward),
    ...memberCounter(memberId),
  }
  return (await engineOf(tx)).stopSession(tx, values)
}

/** Locks the wallet, then the stats. */
const LOCK_CLAIM = lockStatement(
  'lock-claim',
  `with wallet as materialized (
    select bucket, "userId" from wallets where bucket = :bucket and "userId" = :userId for update
  )
  select m."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime", m.claims
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

type Claimable = {
  pendingRewards: Money
  pendingUsdtRewards: Money
  lastClaimTime: Date | null
  claims: number
}

/**
 * Moves all pending TESP and USDT into the wallet (rules.md: Claiming).
 * @throws {RuleError} `nothing_to_claim`, `claim_cooldown` (with the real time to wait, ms)
 */
export async function claimRewards(tx: Tx, memberId: number): Promise<ClaimResult> {
  const engine = await engineOf(tx)
  const locked = await engine.readLocked<Claimable>(tx, LOCK_CLAIM, memberKey(memberId))
  if (!locked) throw new Error(`no wallet of member ${memberId}`)
  const { row: stats, now } = locked
  const { pendingRewards: tesp, pendingUsdtRewards: usdt } = stats
  if (!isPositive(tesp) && !isPositive(usdt)) {
    throw new RuleError('nothing_to_claim', 'No rewards to claim')
  }
  const left = claimCooldown(stats.lastClaimTime?.getTime() ?? null, now)
  if (left > 0) {
    const time = remainingText(left)
    const text = `Please wait ${time} before claiming again`
    throw new RuleError('claim_cooldown', text, left / (await readClockSpeed(tx)), { time })
  }
  const claim = stats.claims + 1
  const row = { userId: memberId, at: now }
  if (isPositive(tesp)) {
    await post(tx, {
      ...row,
      id: ledgerId('claim', { memberId, claim, token: 'TESP' }),
      token: 'TESP',
      amount: tesp,
      type: 'mining_reward',
      description: 'Claimed mining rewards',
    })
  }
  if (isPositive(usdt)) {
    await post(tx, {
      ...row,
      id: ledgerId('claim', { memberId, claim, token: 'USDT' }),
      token: 'USDT',
      amount: usdt,
      type: 'usdt_reward',
      description: 'Claimed USDT rewards',
    })
  }
  await prepared(tx, 'end-claim', END_CLAIM_SQL, {
    ...memberKey(memberId),
    at: new Date(now),
    claim,
  })
  return { claimedTesp: tesp, claimedUsdt: usdt }
}
