import { type AnyObjectSchema, type InferType, number, object, string } from 'yup'
import { EARNINGS_DAYS } from '#rules/constants'
import type { InboxPage, InboxState } from '#rules/inbox'
import type {
  IdentityCheck,
  MemberSignIn,
  ReminderSettings,
  SignInFactors,
  User,
} from '#rules/members/account-snapshots'
import type { MemberExport } from '#rules/members/member-export'
import type { ErrorParams } from '#rules/rule-error'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal, SealKey } from '#rules/seal/seal'
import type {
  Activity,
  AppInfo,
  Availability,
  BoardListing,
  ClaimResult,
  CompletedTask,
  Earnings,
  LedgerSums,
  MilestoneCheck,
  MiningStatus,
  NetworkStatus,
  ReferralCodeCheck,
  ReferralInfo,
  TaskClaim,
  TaskList,
  TeamMember,
  TeamMining,
  TelegramAccount,
  Wallet,
  WeekBoards,
} from '#rules/snapshots'
import {
  applyCodeBody,
  boardListingBody,
  cancelBody,
  completeTaskBody,
  readInboxBody,
  wakeMemberBody,
} from './forms/commands.ts'
import { factorCodeForm } from './forms/fields.ts'
import {
  addPasskeyBody,
  passkeyLoginBody,
  passkeyOptionsBody,
  removePasskeyBody,
  renamePasskeyBody,
} from './forms/passkeys.ts'
import {
  changePasswordBody,
  confirmBody,
  deleteBody,
  endSignInBody,
  passwordAndCodeBody,
} from './forms/password-confirmed.ts'
import { profileBody } from './forms/profile.ts'
import type { ProofOfWorkChallenge } from './forms/proof-of-work.ts'
import {
  blockInviterBody,
  mailReminderBody,
  pushDeviceBody,
  pushKindBody,
  removeDeviceBody,
  teamReminderBody,
} from './forms/reminders.ts'
import {
  forgotForm,
  loginForm,
  registerBody,
  resetBody,
  sendOtpBody,
  verifyOtpForm,
} from './forms/sign-in.ts'
import { calendarDay, statementForm } from './forms/statement.ts'
import { ACTIVITY_MAX } from './page-sizes.ts'
import type { PasskeyCreation, PasskeyRequest } from './passkeys.ts'

export * from './headers.ts'
export * from './page-sizes.ts'

/** The answer of each route (Specification §7). The literal is the route's only name. */
export type Answers = {
  'GET /api/user': User
  'POST /api/login': User
  /** After the answer `second_factor_required` to POST /api/login. */
  'POST /api/login/second-factor': User
  'POST /api/passkey/options': { options: PasskeyRequest }
  'POST /api/passkey/login': User
  'POST /api/register': User
  'POST /api/logout': { ok: true }
  'GET /api/check/username/:username': Availability
  'GET /api/check/email/:email': Availability
  'GET /api/check/referral-code/:code': ReferralCodeCheck
  'POST /api/verify/send-otp': { ok: true; message: string }
  'POST /api/verify/verify-otp': { ok: true; message: string }
  'GET /api/mining/status': MiningStatus
  'POST /api/mining/start': MiningStatus
  'POST /api/mining/stop': MiningStatus
  'POST /api/mining/claim': ClaimResult
  'GET /api/wallet': Wallet
  'GET /api/wallet/activity': Activity[]
  'GET /api/wallet/activity/sums': LedgerSums
  'GET /api/wallet/earnings': Earnings
  'GET /api/wallet/credits': Activity[]
  /** Null if the row does not exist or its day is not sealed yet. */
  'GET /api/ledger/receipt': { receipt: Receipt | null }
  'GET /api/ledger/roots': { seals: Seal[] }
  'GET /api/ledger/keys': { keys: SealKey[] }
  /** CSV. */
  'GET /api/wallet/statement': string
  'GET /api/referral/info': ReferralInfo
  'GET /api/referral/members': TeamMember[]
  'GET /api/referral/mining': TeamMining
  'POST /api/referral/wake': TeamMining
  'GET /api/referral/week': WeekBoards
  'POST /api/referral/week': { listing: BoardListing }
  'GET /api/referral/check-milestones': MilestoneCheck
  'POST /api/referral/generate-code': { success: true; referralCode: string }
  'POST /api/referral/apply-code': { success: boolean; message: string }
  'GET /api/network': NetworkStatus
  'GET /api/tasks': TaskList
  'GET /api/tasks/completed': { completedTasks: CompletedTask[] }
  'POST /api/tasks/complete': TaskClaim
  'GET /api/telegram': TelegramAccount
  /** Opens the bot in Telegram. */
  'POST /api/telegram/link': { url: string }
  'POST /api/telegram/unlink': TelegramAccount
  /** `answer` is that of the command if it took effect before, otherwise null. */
  'POST /api/commands/cancel': { cancelled: boolean; answer: unknown }
  'PATCH /api/user/profile': User
  'GET /api/user/kyc': IdentityCheck
  'POST /api/user/kyc': { success: true; message: string; kycStatus: User['kycStatus'] }
  'GET /api/user/sign-ins': { signIns: MemberSignIn[] }
  'POST /api/user/sign-ins/end': { success: true; message: string }
  'POST /api/user/sign-ins/end-others': { success: true; message: string }
  'POST /api/user/password': { success: true; message: string }
  'GET /api/user/factors': SignInFactors
  'POST /api/user/passkeys/options': { options: PasskeyCreation }
  'POST /api/user/passkeys': SignInFactors
  'POST /api/user/passkeys/rename': SignInFactors
  'POST /api/user/passkeys/remove': SignInFactors
  /** The secret in base32, and as an address that a QR code holds. */
  'POST /api/user/authenticator/set-up': { secret: string; uri: string }
  /** The only time that the recovery codes are answered. */
  'POST /api/user/authenticator/confirm': { recoveryCodes: string[] }
  'POST /api/user/authenticator/recovery-codes': { recoveryCodes: string[] }
  'POST /api/user/authenticator/remove': { success: true; message: string }
  'POST /api/user/export': MemberExport
  'POST /api/user/delete': { success: true; message: string }
  'GET /api/inbox': InboxPage
  'GET /api/inbox/state': InboxState
  'POST /api/inbox/read': { success: true }
  'GET /api/reminders': ReminderSettings
  'POST /api/reminders/mail': ReminderSettings
  'POST /api/reminders/kinds': ReminderSettings
  'POST /api/reminders/team': ReminderSettings
  'POST /api/reminders/team/block': ReminderSettings
  'POST /api/reminders/push': ReminderSettings
  'POST /api/reminders/push/remove': ReminderSettings
  'POST /api/password/forgot': { success: true; message: string }
  'POST /api/password/reset': { success: true; message: string }
  'GET /api/app': AppInfo
}

export type RouteName = keyof Answers

/** Largest id of a member: a 32-bit integer in the database. */
const MAX_ID = 2 ** 31 - 1

/** The body of each route, validated by the client's form and again by the gateway. */
export const bodies = {
  'POST /api/login': loginForm,
  'POST /api/login/second-factor': factorCodeForm,
  'POST /api/passkey/login': passkeyLoginBody,
  'POST /api/register': registerBody,
  'POST /api/verify/send-otp': sendOtpBody,
  'POST /api/verify/verify-otp': verifyOtpForm,
  'POST /api/referral/apply-code': applyCodeBody,
  'POST /api/referral/wake': wakeMemberBody,
  'POST /api/referral/week': boardListingBody,
  'POST /api/tasks/complete': completeTaskBody,
  'POST /api/commands/cancel': cancelBody,
  'POST /api/inbox/read': readInboxBody,
  'PATCH /api/user/profile': profileBody,
  'POST /api/user/sign-ins/end': endSignInBody,
  'POST /api/user/sign-ins/end-others': confirmBody,
  'POST /api/user/password': changePasswordBody,
  'POST /api/user/passkeys/options': passkeyOptionsBody,
  'POST /api/user/passkeys': addPasskeyBody,
  'POST /api/user/passkeys/rename': renamePasskeyBody,
  'POST /api/user/passkeys/remove': removePasskeyBody,
  'POST /api/user/authenticator/set-up': confirmBody,
  'POST /api/user/authenticator/confirm': factorCodeForm,
  'POST /api/user/authenticator/recovery-codes': passwordAndCodeBody,
  'POST /api/user/authenticator/remove': passwordAndCodeBody,
  'POST /api/user/export': confirmBody,
  'POST /api/user/delete': deleteBody,
  'POST /api/reminders/mail': mailReminderBody,
  'POST /api/reminders/kinds': pushKindBody,
  'POST /api/reminders/team': teamReminderBody,
  'POST /api/reminders/team/block': blockInviterBody,
  'POST /api/reminders/push': pushDeviceBody,
  'POST /api/reminders/push/remove': removeDeviceBody,
  'POST /api/password/forgot': forgotForm,
  'POST /api/password/reset': resetBody,
} satisfies Partial<Record<RouteName, AnyObjectSchema>>

/** The query parameters of each route; all are optional and arrive as text. */
export const queries = {
  'GET /api/wallet/activity': object({
    /** Cursor from the header `X-Next-Cursor` of the previous page. */
    before: string().max(64),
    limit: number().integer().min(1).max(ACTIVITY_MAX),
  }),
  'GET /api/wallet/activity/sums': object({
    /** Cursor as in GET /api/wallet/activity: the rows behind it are summed. */
    before: string().max(64),
    /** Oldest time of the rows that are summed, ISO 8601 with milliseconds in UTC. */
    since: string().max(24),
  }),
  'GET /api/wallet/earnings': object({
    /** UTC days of product time, today included; 90 if absent. */
    days: number().integer().min(1).max(EARNINGS_DAYS),
  }),
  'GET /api/wallet/statement': statementForm,
  'GET /api/wallet/credits': object({
    /** Id of a row of the activity that stands for several automatic credits. */
    id: string().max(64),
  }),
  'GET /api/ledger/receipt': object({
    /** Id of a row of the activity. */
    id: string().max(64),
  }),
  'GET /api/ledger/roots': object({
    /** Number of the last seal that is known; the answer continues behind it, by at most 1,000. */
    after: number().integer().min(1).max(MAX_ID),
    /** UTC day, `2026-11-22`: only its seals, of which the last one counts. */
    day: calendarDay,
  }),
  'GET /api/referral/members': object({
    /** Id of the last member of the previous page; the following ones joined earlier. */
    before: number().integer().min(1).max(MAX_ID),
  }),
  'GET /api/inbox': object({
    /** Id of the last row of the previous page; the following ones are older. */
    before: number().integer().min(1).max(Number.MAX_SAFE_INTEGER),
  }),
  'GET /api/app': object({
    /** Version of the client; a feature flag may require a newer one. */
    version: string().max(32),
  }),
} satisfies Partial<Record<RouteName, AnyObjectSchema>>

export type BodyOf<R extends RouteName> = R extends keyof typeof bodies
  ? InferType<(typeof bodies)[R]>
  : undefined

export type QueryOf<R extends RouteName> = R extends keyof typeof queries
  ? InferType<(typeof queries)[R]>
  : undefined

/** Names of the path parameters in a route, e.g. `code` in `/check/referral-code/:code`. */
export type ParamsOf<R extends string> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : R extends `${string}:${infer Name}`
    ? Name
    : never

/** The body of every error, whose message is English. */
export type ErrorAnswer = {
  message: string
  code?: string
  /** One message for each invalid field of a form. */
  fields?: Record<string, string>
  /** The values in the message. */
  params?: ErrorParams
  /** What to solve and send along, with the code `proof_required`. */
  challenge?: ProofOfWorkChallenge
}
