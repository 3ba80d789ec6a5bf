import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import {
  claimCooldown,
  type MiningFacts,
  miningStatus,
  type SessionFacts,
} from './mining-status.ts'

const START = Date.UTC(2026, 2, 8, 9, 10, 11)
const REAL = Date.UTC(2026, 2, 8, 9, 10, 11)

const running: SessionFacts = {
  id: 71,
  startTime: START,
  status: 'active',
  hashRate: '0.10500000',
  rateSince: START,
  tespAccrued: '0',
  reward: '0.00000000',
  creditedIntervals: 0,
  lastRewardAmount: '0.00000000',
  creditedAt: null,
}

const facts = (session: Partial<SessionFacts> | null, rest: Partial<MiningFacts> = {}) => ({
  miningBoost: '0.05',
  pendingRewards: '0.00000000',
  pendingUsdtRewards: '0.00000000',
  lastClaimTime: null,
  session: session && { ...running, ...session },
  ...rest,
})

const at = (elapsed: number, real = elapsed) => ({
  now: START + elapsed,
  speed: 1,
  asOf: REAL + real,
})

describe('a running session', () => {
  it('a running session has rate, reward since the last credit and remaining time', () => {
    const status = miningStatus(facts({}), at(10 * MINUTE_MS))
    expect(status).toMatchObject({
      active: true,
      session: {
        id: 71,
        startTime: '2026-03-08T09:10:11.000Z',
        hashRate: '0.10500000',
        currentReward: '0.01750000',
        remainingTime: DAY_MS - 10 * MINUTE_MS,
        isCompleted: false,
        nextCreditIn: 10 * MINUTE_MS,
      },
      serverNow: '2026-03-08T09:20:11.000Z',
      miningBoost: 0.05,
    })
  })

  it('the current reward excludes credited earnings', () => {
    const credited = { creditedIntervals: 1, reward: '0.03500000' }
    const { session } = miningStatus(facts(credited), at(30 * MINUTE_MS))
    expect(session).toMatchObject({
      currentReward: '0.01750000',
      credited: '0.03500000',
      nextCreditIn: 10 * MINUTE_MS,
    })
  })

  it('a session is completed at 24 hours, even before a worker has ended it', () => {
    const before = miningStatus(facts({ creditedIntervals: 71 }), at(DAY_MS - 1))
    expect(before).toMatchObject({ active: true, session: { isCompleted: false } })
    const over = miningStatus(facts({ creditedIntervals: 71 }), at(DAY_MS))
    expect(over).toMatchObject({ active: false, session: { isCompleted: true, remainingTime: 0 } })
    expect(over.session).not.toHaveProperty('nextCreditIn')
  })

  it('the remaining time is 0…24 hours for any clock', () => {
    const remaining = (elapsed: number) =>
      miningStatus(facts({}), at(elapsed)).session?.remainingTime
    expect(remaining(-HOUR_MS)).toBe(DAY_MS)
    expect(remaining(26 * HOUR_MS)).toBe(0)
    fc.assert(
      fc.property(fc.integer({ min: -DAY_MS, max: 3 * DAY_MS }), (elapsed) => {
        const left = remaining(elapsed) ?? -1
        return left >= 0 && left <= DAY_MS
      }),
    )
  })
})

describe('a clock that moved back', () => {
  const credited = { creditedIntervals: 3, reward: '0.10500000' }
  const shown = (elapsed: number) => miningStatus(facts(credited), at(elapsed)).session

  it('earnings survive a clock that moves back, and continue after the last credit', () => {
    expect(shown(10 * MINUTE_MS)).toMatchObject({
      currentReward: '0.00000000',
      remainingTime: 23 * HOUR_MS,
    })
    expect(shown(70 * MINUTE_MS)?.currentReward).toBe('0.01750000')
  })
})

describe('an ended session', () => {
  it('a stopped session is not shown', () => {
    const status = miningStatus(facts({ status: 'stopped' }), at(HOUR_MS))
    expect(status).toMatchObject({ active: false, session: null })
  })

  it('a session stays shown as completed after its 24 hours, without current reward', () => {
    const done = { status: 'completed', creditedIntervals: 72, reward: '2.52000000' } as const
    const status = miningStatus(facts(done), at(30 * HOUR_MS))
    expect(status.active).toBe(false)
    expect(status.session).toMatchObject({
      isCompleted: true,
      remainingTime: 0,
      currentReward: '0.00000000',
    })
  })

  it('an ended session shows the idle stats of the dashboard', () => {
    const idle = { neuralLinks: 4616, dataProcessed: 26.97, networkPower: 18.9 }
    expect(miningStatus(facts(null), at(0)).stats).toEqual(idle)
    expect(miningStatus(facts({ status: 'stopped' }), at(HOUR_MS)).stats).toEqual(idle)
  })
})

describe('rewardAdded', () => {
  const credited = { creditedIntervals: 3, lastRewardAmount: '0.03500000', creditedAt: REAL }

  it('rewardAdded is true for 60 real seconds after a credit, with amount and ledger id', () => {
    const status = miningStatus(facts(credited), at(HOUR_MS, 59_999))
    expect(status).toMatchObject({
      rewardAdded: true,
      rewardAmount: '0.03500000',
      rewardId: 'credit:71:3',
    })
  })

  it('rewardAdded is false from the 60th second on', () => {
    const status = miningStatus(facts(credited), at(HOUR_MS, MINUTE_MS))
    expect(status).toMatchObject({ rewardAdded: false, rewardAmount: null, rewardId: null })
  })

  it('rewardAdded is false for a member without credits', () => {
    expect(miningStatus(facts({}), at(HOUR_MS)).rewardAdded).toBe(false)
    expect(miningStatus(facts(null), at(HOUR_MS)).rewardAdded).toBe(false)
  })
})

describe('pending rewards', () => {
  const pending = { pendingRewards: '0.01000000' }

  it('pending rewards can be claimed outside of the cooldown', () => {
    expect(miningStatus(facts(null, pending), at(0))).toMatchObject({
      canClaim: true,
      hasPendingRewards: true,
      cooldown: { inCooldown: false, remainingText: '0m 00s', remainingTime: 0 },
    })
    expect(miningStatus(facts(null), at(0))).toMatchObject({
      canClaim: false,
      hasPendingRewards: false,
    })
  })

  it('pending USDT can be claimed even without pending TESP', () => {
    const usdt = facts(null, { pendingUsdtRewards: '0.00000001' })
    expect(miningStatus(usdt, at(0))).toMatchObject({ canClaim: true, hasPendingRewards: true })
  })

  it('pending rewards cannot be claimed during the cooldown', () => {
    const claimed = facts(null, { ...pending, lastClaimTime: new Date(START) })
    expect(miningStatus(claimed, at(55 * SECOND_MS))).toMatchObject({
      canClaim: false,
      hasPendingRewards: true,
      cooldown: { inCooldown: true, remainingText: '19m 05s', remainingTime: 1_145_000 },
    })
    expect(miningStatus(claimed, at(20 * MINUTE_MS))).toMatchObject({
      canClaim: true,
      cooldown: { inCooldown: false, remainingText: '0m 00s' },
    })
  })

  it('the cooldown is 0 to 20 minutes for any clock', () => {
    const claimed = new Date(START)
    expect(claimCooldown(claimed, START - HOUR_MS)).toBe(20 * MINUTE_MS)
    expect(claimCooldown(claimed, START + 26 * HOUR_MS)).toBe(0)
    expect(claimCooldown(null, START)).toBe(0)
  })
})
