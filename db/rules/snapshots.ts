import type { SimulatedStats } from './ai-figures.ts'
import type { Language } from './members/languages.ts'
import type { Money } from './money/money.ts'

/** Payloads of REST and pushes (Specification §3): times are ISO 8601 texts, durations ms, amounts `Money`. */

/** Real time of the database at which a snapshot was read: ms with microseconds as fraction. */
export type AsOf = number

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

/** What the ledger rows of one UTC day of product time brought; the sources add up to the sum of the rows. */
export type EarningsDay = {
  /** `2026-03-01`. */
  day: string
  /** TESP of automatic credits at the base rate, and of claims. */
  mining: Money
  /** TESP that the boost of the team added to automatic credits. */
  team: Money
  /** TESP of tasks and milestones. */
  rewards: Money
  /** TESP of corrections; may be negative. */
  other: Money
  /** All USDT. */
  usdt: Money
}

/** The last UTC days, oldest first; the last one is today. */
export type Earnings = { days: EarningsDay[]; asOf: AsOf }

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
  /** Ids of the newest whom the member may remind now, if they are not mining. */
  wakeable: number[]
  /** Ids of the newest whom the member has reminded on this UTC day. */
  reminded: number[]
}

/** How the board of all members shows a member; null: it does not. */
export type BoardListing = 'name' | 'anonymous' | null

/** A row of a board. */
export type BoardRow = {
  /** From 1, without gaps between equal amounts; null for a member who mined nothing this week. */
  rank: number | null
  who: 'self' | 'inviter' | 'member'
  /** Null for a member who is listed as *Anonymous*. */
  name: string | null
  /** TESP that mining paid since Monday. */
  tesp: Money
  /** Whether members between this row and the one before are left out. */
  gap: boolean
}

/** The first of a board, and the member with neighbours. */
export type WeekBoard = { members: number; rows: BoardRow[] }

/** Who mined how much since Monday, 00:00 UTC of product time. */
export type WeekBoards = {
  /** The Monday, `2026-11-23`. */
  week: string
  /** When the amounts were read from the ledger: real time, ISO 8601. */
  readAt: string
  team: WeekBoard
  listing: BoardListing
  /** Null unless the member is listed. */
  everyone: WeekBoard | null
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

/** Title and description of a task in one language. */
export type TaskTexts = { title: string; description: string }

/** A task as members see it; whether the member completed it follows from `CompletedTask`. */
export type Task = {
  id: string
  texts: Record<Language, TaskTexts>
  /** TESP. */
  reward: Money
  platform: 'twitter' | 'telegram' | 'youtube' | 'website'
  action: 'follow' | 'like' | 'share' | 'watch' | 'visit' | 'subscribe'
  /** Page that Visit opens; null without one. */
  link: string | null
  /** Claims of a member a UTC day; absent, a member claims once. */
  dailyLimit?: number
  /** `trust`: nothing is checked. `code`: a claim needs the code word. `telegram`: a membership. */
  check: 'trust' | 'code' | 'telegram'
  /** `full`: all its rewards are claimed. `ended`: listed because the member completed it. */
  state: 'open' | 'full' | 'ended'
}

export type TaskList = {
  tasks: Task[]
  /** Real ms until the next task starts or ends by itself; null if none does. */
  changesInMs: number | null
  asOf: AsOf
}

/** The Telegram account that tasks with the check `telegram` ask about. */
export type TelegramAccount = {
  /** Name of the bot that links an account; null if Telegram is not set up here. */
  bot: string | null
  /** `name` as Telegram told it: `@mara`, or the first name of somebody without a user name. */
  linked: { name: string; since: string } | null
}

/** A claim that was paid; a task that pays several times a day has several of today. */
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
  /** `https:` and `mailto:` URLs of the operator; a page that is absent does not exist. */
  links: { support?: string; terms?: string; privacy?: string }
}
