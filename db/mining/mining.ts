import { post } from '#db/ledger/ledger'
import { countMining } from '#db/ledger/network-counters'
import { productNow, readClockSpeed } from '#db/postgres/product-clock'
import type { Tx } from '#db/postgres/transaction'
import { remainingText } from '#rules/duration-text'
import { ledgerId } from '#rules/ledger-id'
import { earnedAt, sessionTime } from '#rules/mining'
import { claimCooldown } from '#rules/mining-status'
import { fromUnits, isPositive, type Money, minus } from '#rules/money'
import { RuleError } from '#rules/rule-error'
import type { ClaimResult } from '#rules/snapshots'
import { accruals, lockActiveSession, newSession, settleSession } from './sessions.ts'

const alreadyActive = () => new RuleError('mining_active', 'Mining is already active')
const notActive = () => new RuleError('mining_inactive', 'Mining is not active')

/**
 * Starts the member's 24-hour session at the rate of their boost. A share lock on the member's row
 * keeps the boost from changing until the session is inserted.
 * @throws {RuleError} `mining_active`
 */
export async function startMining(tx: Tx, memberId: number): Promise<void> {
  const member = await tx('users')
    .where({ id: memberId })
    .forShare()
    .first('id', 'miningBoost', 'teamLevel')
  const running = await lockActiveSession(tx, memberId)
  const now = await productNow(tx)
  if (running && (await settleSession(tx, running, now)).active) throw alreadyActive()
  const session = newSession(member, now)
  const started = await tx('mining_sessions')
    .insert(session)
    .onConflict(tx.raw('("userId") where active'))
    .ignore()
    .returning('id')
  if (started.length === 0) throw alreadyActive()
  await countMining(tx, memberId, 1, session.hashRate)
}

/**
 * Stops the member's session: ended intervals are credited, the earnings of the unfinished one
 * become pending.
 * @throws {RuleError} `mining_inactive`
 */
export async function stopMining(tx: Tx, memberId: number): Promise<void> {
  if (!(await stopIfActive(tx, memberId))) throw notActive()
}

/** As `stopMining`, but without an error when no session runs; returns whether one was stopped. */
export async function stopIfActive(tx: Tx, memberId: number): Promise<boolean> {
  const running = await lockActiveSession(tx, memberId)
  if (!running) return false
  const now = await productNow(tx)
  const session = await settleSession(tx, running, now)
  if (!session.active) return false
  const end = sessionTime(session.startTime.getTime(), session.creditedIntervals, now)
  const { tesp, usdt } = accruals(session)
  const reward = earnedAt(tesp, end)
  const usdtReward = earnedAt(usdt, end)
  const left = { tesp: minus(reward, session.reward), usdt: minus(usdtReward, session.usdtReward) }
  await tx('mining_sessions')
    .where({ id: session.id })
    .update({
      active: false,
      status: 'stopped',
      endTime: new Date(end),
      reward,
      usdtReward,
      rewardClaimed: !isPositive(left.tesp) && !isPositive(usdtReward),
    })
  await tx.raw(
    `update mining_stats set "pendingRewards" = "pendingRewards" + :tesp,
       "pendingUsdtRewards" = "pendingUsdtRewards" + :usdt,
       "totalMined" = "totalMined" + :reward, "updatedAt" = now()
     where "userId" = :memberId`,
    { ...left, reward, memberId },
  )
  await countMining(tx, memberId, -1, `-${session.hashRate}`)
  return true
}

type StatsRow = {
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
  await tx('wallets').where({ userId: memberId }).forUpdate().first('id')
  const stats: StatsRow = await tx('mining_stats').where({ userId: memberId }).forUpdate().first()
  const { pendingRewards: tesp, pendingUsdtRewards: usdt } = stats
  if (!isPositive(tesp) && !isPositive(usdt)) {
    throw new RuleError('nothing_to_claim', 'No rewards to claim')
  }
  const now = await productNow(tx)
  const left = claimCooldown(stats.lastClaimTime?.getTime() ?? null, now)
  if (left > 0) {
    const text = `Please wait ${remainingText(left)} before claiming again`
    throw new RuleError('claim_cooldown', text, left / (await readClockSpeed(tx)))
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
  await tx('mining_stats')
    .where({ userId: memberId })
    .update({
      pendingRewards: fromUnits(0n),
      pendingUsdtRewards: fromUnits(0n),
      lastClaimTime: new Date(now),
      claims: claim,
      updatedAt: tx.fn.now(),
    })
  await tx('mining_sessions')
    .where({ userId: memberId, active: false, rewardClaimed: false })
    .update({ rewardClaimed: true })
  return { claimedTesp: tesp, claimedUsdt: usdt }
}
