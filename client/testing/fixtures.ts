import { IDLE_STATS } from '#rules/ai-figures'
import { HOUR_MS, INTERVAL_MS, SESSION_MS } from '#rules/constants'
import type { User } from '#rules/members/account-snapshots'
import type { Activity, MiningSession, MiningStatus, Wallet } from '#rules/snapshots'

/** The time of all fixtures, both real and product time, ms. */
export const NOW = Date.parse('2026-03-01T12:00:00.000Z')

export function aUser(more: Partial<User> = {}): User {
  return {
    id: 7,
    username: 'mai',
    email: 'mai@example.com',
    fullName: null,
    phone: null,
    avatar: null,
    referralCode: null,
    kycStatus: 'unverified',
    kycDocumentType: null,
    kycDocumentUrl: null,
    language: null,
    ...more,
  }
}

/** The status of a member who has never mined. */
export function anIdleStatus(more: Partial<MiningStatus> = {}): MiningStatus {
  return {
    active: false,
    session: null,
    rewardAdded: false,
    rewardAmount: null,
    rewardId: null,
    pendingRewards: '0.00000000',
    pendingUsdtRewards: '0.00000000',
    canClaim: false,
    hasPendingRewards: false,
    cooldown: { inCooldown: false, remainingText: '0m 00s', remainingTime: 0 },
    stats: { ...IDLE_STATS },
    miningBoost: 0,
    serverNow: new Date(NOW).toISOString(),
    speed: 1,
    asOf: NOW,
    ...more,
  }
}

/** A session that started 65 minutes ago: the next credit is due in 15 minutes. */
export function aSession(more: Partial<MiningSession> = {}): MiningSession {
  const elapsed = HOUR_MS + INTERVAL_MS / 4
  return {
    id: 5,
    startTime: new Date(NOW - elapsed).toISOString(),
    aiOptimization: 38,
    hashRate: '0.10000000',
    currentReward: '0.00833333',
    remainingTime: SESSION_MS - elapsed,
    isCompleted: false,
    creditedIntervals: 3,
    credited: '0.10000000',
    nextCreditIn: INTERVAL_MS - INTERVAL_MS / 4,
    ...more,
  }
}

export function anActiveStatus(more: Partial<MiningStatus> = {}): MiningStatus {
  return anIdleStatus({ active: true, session: aSession(), ...more })
}

export function aWallet(tesp = '18.40276331', usdt = '4.21839000', asOf = NOW): Wallet {
  return { tesp: [{ id: 1, name: 'TESP', balance: tesp }], usdtBalance: usdt, asOf }
}

/** Row `n` of a ledger that is listed newest first: a smaller `n` is newer. */
export function anActivity(n: number, more: Partial<Activity> = {}): Activity {
  return {
    id: `credit:5:${n}`,
    type: 'mining_reward',
    amount: '0.03333333',
    tokenType: 'TESP',
    description: 'Automatic credit',
    timestamp: new Date(NOW - n * INTERVAL_MS).toISOString(),
    balanceAfter: '18.40276331',
    ...more,
  }
}

export function activities(from: number, to: number): Activity[] {
  return Array.from({ length: to - from }, (_, index) => anActivity(from + index))
}
