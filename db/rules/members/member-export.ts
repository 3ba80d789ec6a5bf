import type { Money } from '#rules/money/money'

/** Time in ISO 8601. */
type Time = string

/**
 * All data held about a member, as the member downloads it. Amounts are exact decimals in text.
 * Excluded are password hash, keys, codes and data of other members except their public names.
 */
export type MemberExport = {
  about: { product: string; format: 1; exportedAt: Time }
  profile: {
    id: number
    username: string
    email: string
    fullName: string | null
    phone: string | null
    /** A preset's name or a picture as a data URL. */
    avatar: string | null
    /** The language of mails; null if none was chosen. */
    language: string | null
    /** Id of the last announcement that was read; 0 without one. */
    readAnnouncement: number
    signedUpAt: Time
  }
  identity: { status: string; documentType: string | null; verifiedAt: Time | null }
  /** Identity documents, including those whose bytes were deleted. */
  documents: {
    id: number
    documentType: string
    mime: string
    submittedAt: Time
    decidedAt: Time | null
    accepted: boolean | null
    reason: string | null
    deletedAt: Time | null
    /** The document in base64; null after its deletion. */
    content: string | null
  }[]
  wallet: { name: string; tesp: Money; usdt: Money; openedAt: Time }
  mining: {
    pendingTesp: Money
    pendingUsdt: Money
    totalMined: Money
    claims: number
    lastClaimAt: Time | null
    neuralLinks: number
    dataProcessed: string
    networkPower: string
  }
  /** Mining sessions, oldest first. */
  sessions: {
    id: number
    startedAt: Time
    endedAt: Time | null
    status: string
    hashRate: Money
    usdtRate: Money
    reward: Money
    usdtReward: Money
    creditedIntervals: number
  }[]
  /** Totals of older sessions, whose single rows are deleted after some time; none or one. */
  earlierSessions: {
    sessions: number
    creditedIntervals: number
    reward: Money
    usdtReward: Money
    firstStartedAt: Time
    lastEndedAt: Time
  }[]
  /** The whole ledger, oldest first; credits of old days are rolled up (rules.md: Money). */
  activity: {
    id: string
    type: string
    amount: Money
    tokenType: string
    description: string
    at: Time
    balanceAfter: Money
  }[]
  tasks: {
    taskId: string
    completedAt: Time
    rewardAmount: Money
    rewardType: string
    day: string
  }[]
  team: {
    referralCode: string | null
    frozenReason: string | null
    referredBy: string | null
    teamSize: number
    teamLevel: number
    miningBoost: Money
  }
  teamMembers: { username: string; joinedAt: Time }[]
  teamRewards: { amount: Money; reason: string; teamSize: number; at: Time }[]
  milestones: { members: number; achieved: boolean; rewardAmount: Money; achievedAt: Time | null }[]
  /** Names of the feature flags that are on for this member individually. */
  features: string[]
  /** Codes sent to the e-mail address, without the digits. */
  codes: { purpose: string; createdAt: Time; expiresAt: Time; verifiedAt: Time | null }[]
  /** Mails to the e-mail address, without their texts. */
  mails: { recipient: string; subject: string; createdAt: Time; sentAt: Time | null }[]
  /** That the mail server of the e-mail address refused mails, and its answer; none or one. */
  mailRefusals: { at: Time; reason: string }[]
  /**
   * What the member has switched on to be told outside of the app; `kinds` is null if never chosen, `team` are
   * reminders by the inviter. `weekBoard`: how the board of all members shows the member.
   */
  reminderSettings: {
    mail: boolean
    kinds: string[] | null
    team: boolean
    inviterBlockedAt: Time | null
    /** UTC day of the inviter's last reminder. */
    lastTeamReminder: string | null
    weekBoard: string | null
  }
  /** Devices that show reminders, without their addresses and keys. */
  pushDevices: { device: string; addedAt: Time }[]
  /** Passkeys, without their keys. */
  passkeys: {
    name: string
    addedAt: Time
    lastUsedAt: Time | null
    backedUp: boolean
    transports: string[]
  }[]
  /** The authenticator app, without its secret; times and count are null without one. */
  oneTimeCodes: { on: boolean; since: Time | null; recoveryCodesLeft: number | null }
  /** The Telegram account that the member has linked. */
  telegram: { id: number; name: string; linkedAt: Time }[]
  /** Reminders and notices of the last days; `channel` is `push` or `mail`, `sessionId` null for others. */
  reminders: {
    kind: string
    sessionId: number | null
    channel: string
    createdAt: Time
    settledAt: Time | null
    outcome: string | null
  }[]
  /** Rows of the inbox, as the product keeps them for 90 days. */
  inbox: { kind: string; at: Time; readAt: Time | null; facts: Record<string, unknown> }[]
  /** What operators did to the account, and why. */
  operatorActions: { at: Time; action: string; reason: string }[]
  /** What operators noted about the account, without their names. */
  operatorNotes: { at: Time; note: string }[]
  /** Corrections of the balance that were proposed to another operator; null: not decided. */
  proposedCorrections: {
    proposedAt: Time
    token: string
    amount: Money
    reason: string
    approved: boolean | null
    decidedAt: Time | null
  }[]
  /** Why the team looks suspicious, if it does: a row at most. */
  teamChecks: { checkedAt: Time; score: number; evidence: Record<string, number> }[]
  /** Requests with an idempotency key, whose answers are stored for two days. */
  requests: { route: string; at: Time }[]
}
