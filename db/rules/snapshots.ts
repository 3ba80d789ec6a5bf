import type { Language } from './members/languages.ts'
import type { Money } from './money/money.ts'
import type { SimulatedStats } from './money/simulation.ts'

/**
 * The payloads of REST answers and pushes, one shape for both (Specification §3). Times are ISO
 * 8601 texts, durations milliseconds, amounts `Money`.
 */

/** Real time of the database at which a snapshot was read: ms with microseconds as fraction. */
export type AsOf = number

/** The member's own view of their account. */
export type User = {
  id: number
  username: string
  email: string
  fullName: string | null
  phone: string | null
  avatar: string | null
  referralCode: string | null
  kycStatus: 'unverified' | 'pending' | 'verified'
  kycDocumentType: string | null
  kycDocumentUrl: string | null
  /** The language of mails; null if the member has not chosen one. */
  language: Language | null
}

/** One sign-in of the member, as the list of sign-ins shows it. */
export type MemberSignIn = {
  id: string
  /** In plain words from the user agent, such as `Firefox on Windows`. */
  device: string
  /** The coarse network of the last request, such as `203.0.x.x`. */
  network: string
  signedInAt: string
  /** The last request, within five minutes. */
  lastSeenAt: string
  /** The sign-in that sent this request. */
  current: boolean
}

/** A passkey of the member, without its key. */
export type Passkey = {
  id: number
  /** The member's own name for it. */
  name: string
  addedAt: string
  /** The last sign-in with it; null before the first. */
  lastUsedAt: string | null
  /** Whether its provider keeps copies of it, so that it outlives the device. */
  backedUp: boolean
}

/** What a member can sign in with besides the password. */
export type SignInFactors = {
  /** Oldest first. */
  passkeys: Passkey[]
  /** The authenticator app whose codes a sign-in with the password needs; null without one. */
  authenticator: { since: string; recoveryCodesLeft: number } | null
}

/** What a member reads about the check of their identity. */
export type IdentityCheck = {
  /** Days after the decision for which a document is kept; 0 deletes it immediately. */
  retentionDays: number
  /** The last decision if it was a rejection and no document was submitted since; otherwise null. */
  rejection: { reason: string; decidedAt: string } | null
}

/** A device that shows the member's reminders as push messages. */
export type PushDevice = {
  id: number
  /** In plain words from the user agent, such as `Firefox on Windows`. */
  device: string
  addedAt: string
  /** The browser that sent this request. */
  current: boolean
}

/** What a member has switched on to be reminded when the 24 hours of a session end. */
export type ReminderSettings = {
  mail: boolean
  /** Public VAPID key to subscribe with, in base64url; null if push messages are not set up. */
  pushKey: string | null
  /** Newest first. */
  devices: PushDevice[]
}

export type MiningSession = {
  id: number
  startTime: string
  /** Percent, before the display's jitter. */
  aiOptimization: number
  /** TESP per hour that this session earns. */
  hashRate: Money
  /** TESP earned since the last credit: neither in the wallet nor pending yet. */
  currentReward: Money
  /** Product time until the session's end, ms, 0…24 h. */
  remainingTime: number
  isCompleted: boolean
  /** Automatic credits of this session so far, 0…72. */
  creditedIntervals: number
  /** TESP that these credits moved to the wallet. */
  credited: Money
  /** Product time until the next automatic credit, ms; absent after the session's end. */
  nextCreditIn?: number
}

export type MiningStatus = {
  active: boolean
  /** The running session, or the last one if it was completed. */
  session: MiningSession | null
  /** True for 60 real seconds after an automatic credit. */
  rewardAdded: boolean
  rewardAmount: Money | null
  /** Id of the ledger row of `rewardAmount`; a client shows each id once. */
  rewardId: string | null
  pendingRewards: Money
  pendingUsdtRewards: Money
  canClaim: boolean
  hasPendingRewards: boolean
  cooldown: { inCooldown: boolean; remainingText: string; remainingTime: number }
  stats: SimulatedStats
  /** Fraction that the team adds to the base rate: 0.05 a member. */
  miningBoost: number
  /** Product time of the database; clients extrapolate from it at `speed` times their own clock. */
  serverNow: string
  speed: number
  asOf: AsOf
}

export type Wallet = {
  tesp: { id: number; name: string; balance: Money }[]
  usdtBalance: Money
  asOf: AsOf
}

export type Activity = {
  id: string
  type: 'mining_reward' | 'usdt_reward' | 'transfer' | 'other'
  /** A leading minus means outgoing. */
  amount: Money
  tokenType: 'TESP' | 'USDT'
  description: string
  timestamp: string
  /** Balance of the token after this row. */
  balanceAfter: Money
}

/** Sums of ledger rows by token; outgoing amounts are subtracted. */
export type LedgerSums = { tesp: Money; usdt: Money }

/** TESP mined on a UTC day of product time, such as `2026-03-01`. */
export type MinedDay = { day: string; mined: Money }

/** A page of a member's ledger as it is pushed; REST answers the list of `items`. */
export type ActivityPage = { items: Activity[]; next: string | null; asOf: AsOf }

export type ClaimResult = { claimedTesp: Money; claimedUsdt: Money }

export type Availability = { available: boolean; message: string }
export type ReferralCodeCheck = {
  valid: boolean
  message: string
  /** User name of the code's owner; absent for a refused code, and after many checks. */
  inviter?: string
}

/** One milestone as the Team screen lists it. */
export type MilestoneView = {
  /** Required team size. */
  members: number
  /** TESP. */
  reward: Money
  /** Fraction: USDT per TESP from then on. */
  usdtRate: Money
  achieved: boolean
}

/** A direct member; a deleted one is named `Deleted member` and has an empty e-mail address. */
export type TeamMember = { id: number; username: string; email: string; createdAt: string }

/** Who of the direct members has a running session. */
export type TeamMining = {
  /** Number of direct members with a running session. */
  total: number
  /** Ids of the newest of them. */
  memberIds: number[]
}

/** A paid milestone as Recent rewards shows it; the amount is TESP. */
export type TeamReward = { id: number; reason: string; amount: number; createdAt: string }

export type ReferralInfo = {
  referralCode: string | null
  /** Reason for which an operator froze the code; null while it is active. */
  frozenReason: string | null
  /** The member's referrer; null until a code is applied. */
  referrer: { username: string } | null
  teamSize: number
  /** Fraction: 0.05 a member. */
  miningBoost: number
  milestones: MilestoneView[]
  /** The newest members; older ones come by GET /api/referral/members. */
  teamMembers: TeamMember[]
  usdtRewards: TeamReward[]
  asOf: AsOf
}

export type MilestoneCheck = {
  success: true
  /** Sum of the USDT paid by this check. */
  usdtRewarded: number
  newMilestones: { members: number; reward: Money; usdt: Money }[]
}

export type CompletedTask = {
  taskId: string
  completedAt: string
  rewardAmount: Money
  rewardType: string
}

export type TaskClaim = { success: true; message: string; reward: { amount: number; type: string } }

export type NetworkStatus = {
  /** Members with a running session. */
  nodes: number
  /** Ledger rows written so far. */
  blockHeight: number
  /** Sum of the rates of all running sessions, TESP/h. */
  hashrate: number
  /** Credits in each of the last 24 hours, oldest first. */
  activity: { hour: string; credits: number }[]
  /** Percent each; figures of a simulation. */
  aiStatus: {
    training: number
    dataProcessing: number
    accuracy: number
    allocation: { mining: number; security: number; analytics: number; research: number }
  }
  asOf: AsOf
}

/** Feature flags, versions and links, which the client reads before anything else. */
export type AppInfo = {
  /** Names of the feature flags that are on for this member. */
  flags: string[]
  /** Clients below this version must reload; null without a minimum. */
  minimumVersion: string | null
  /** URL of each task's page, by task id. */
  taskLinks: Record<string, string>
}
