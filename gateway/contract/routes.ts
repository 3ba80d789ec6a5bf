import type { Challenge } from 'altcha-lib'
import { type AnyObjectSchema, type InferType, number, object, string } from 'yup'
import { EARNINGS_DAYS } from '#rules/constants'
import type { InboxPage, InboxState } from '#rules/inbox'
import type * as account from '#rules/members/account-snapshots'
import type { MemberExport } from '#rules/members/member-export'
import type { ErrorParams } from '#rules/rule-error'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal, SealKey } from '#rules/seal/seal'
import type * as snapshots from '#rules/snapshots'
import * as commands from './forms/commands.ts'
import { factorCodeForm } from './forms/fields.ts'
import * as passkeys from './forms/passkeys.ts'
import * as confirmed from './forms/password-confirmed.ts'
import { profileBody } from './forms/profile.ts'
import * as reminders from './forms/reminders.ts'
import * as signIn from './forms/sign-in.ts'
import { calendarDay, statementForm } from './forms/statement.ts'
import { ACTIVITY_MAX } from './page-sizes.ts'
import type { PasskeyCreation, PasskeyRequest } from './passkeys.ts'

export * from './headers.ts'
export * from './page-sizes.ts'

/** The answer of each route (Specification §7). The literal is the route's only name. */
export type Answers = {
  'GET /api/user': account.User
  'POST /api/login': account.User
  /** After the answer `second_factor_required` to POST /api/login. */
  'POST /api/login/second-factor': account.User
  'POST /api/passkey/options': { options: PasskeyRequest }
  'POST /api/passkey/login': account.User
  'POST /api/register': account.User
  'POST /api/logout': { ok: true }
  'GET /api/check/username/:username': snapshots.Availability
  'GET /api/check/email/:email': snapshots.Availability
  'GET /api/check/referral-code/:code': snapshots.ReferralCodeCheck
  'POST /api/verify/send-otp': { ok: true; message: string }
  'POST /api/verify/verify-otp': { ok: true; message: string }
  'GET /api/mining/status': snapshots.MiningStatus
  'POST /api/mining/start': snapshots.MiningStatus
  'POST /api/mining/stop': snapshots.MiningStatus
  'POST /api/mining/claim': snapshots.ClaimResult
  'GET /api/wallet': snapshots.Wallet
  'GET /api/wallet/activity': snapshots.Activity[]
  'GET /api/wallet/activity/sums': snapshots.LedgerSums
  'GET /api/wallet/earnings': snapshots.Earnings
  'GET /api/wallet/credits': snapshots.Activity[]
  /** Null if the row does not exist or its day is not sealed yet. */
  'GET /api/ledger/receipt': { receipt: Receipt | null }
  'GET /api/ledger/roots': { seals: Seal[] }
  'GET /api/ledger/keys': { keys: SealKey[] }
  /** CSV. */
  'GET /api/wallet/statement': string
  'GET /api/referral/info': snapshots.ReferralInfo
  'GET /api/referral/members': snapshots.TeamMember[]
  'GET /api/referral/mining': snapshots.TeamMining
  'POST /api/referral/wake': snapshots.TeamMining
  'GET /api/referral/week': snapshots.WeekBoards
  'POST /api/referral/week': { listing: snapshots.BoardListing }
  'GET /api/referral/check-milestones': snapshots.MilestoneCheck
  'POST /api/referral/generate-code': { success: true; referralCode: string }
  'POST /api/referral/apply-code': { success: boolean; message: string }
  'GET /api/network': snapshots.NetworkStatus
  'GET /api/tasks': snapshots.TaskList
  'GET /api/tasks/completed': { completedTasks: snapshots.CompletedTask[] }
  'POST /api/tasks/complete': snapshots.TaskClaim
  'GET /api/telegram': snapshots.TelegramAccount
  /** Opens the bot in Telegram. */
  'POST /api/telegram/link': { url: string }
  'POST /api/telegram/unlink': snapshots.TelegramAccount
  /** `answer` is that of the command if it took effect before, otherwise null. */
  'POST /api/commands/cancel': { cancelled: boolean; answer: unknown }
  'PATCH /api/user/profile': account.User
  'GET /api/user/kyc': account.IdentityCheck
  'POST /api/user/kyc': { success: true; message: string; kycStatus: account.User['kycStatus'] }
  'GET /api/user/sign-ins': { signIns: account.MemberSignIn[] }
  'POST /api/user/sign-ins/end': { success: true; message: string }
  'POST /api/user/sign-ins/end-others': { success: true; message: string }
  'POST /api/user/password': { success: true; message: string }
  'GET /api/user/factors': account.SignInFactors
  'POST /api/user/passkeys/options': { options: PasskeyCreation }
  'POST /api/user/passkeys': account.SignInFactors
  'POST /api/user/passkeys/rename': account.SignInFactors
  'POST /api/user/passkeys/remove': account.SignInFactors
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
  'GET /api/reminders': account.ReminderSettings
  'POST /api/reminders/mail': account.ReminderSettings
  'POST /api/reminders/kinds': account.ReminderSettings
  'POST /api/reminders/team': account.ReminderSettings
  'POST /api/reminders/team/block': account.ReminderSettings
  'POST /api/reminders/push': account.ReminderSettings
  'POST /api/reminders/push/remove': account.ReminderSettings
  'POST /api/password/forgot': { success: true; message: string }
  'POST /api/password/reset': { success: true; message: string }
  'GET /api/app': snapshots.AppInfo
}

export type RouteName = keyof Answers

/** Largest id of a member: a 32-bit integer in the database. */
const MAX_ID = 2 ** 31 - 1

/** The body of each route, validated by the client's form and again by the gateway. */
export const bodies = {
  'POST /api/login': signIn.loginForm,
  'POST /api/login/second-factor': factorCodeForm,
  'POST /api/passkey/login': passkeys.passkeyLoginBody,
  'POST /api/register': signIn.registerBody,
  'POST /api/verify/send-otp': signIn.sendOtpBody,
  'POST /api/verify/verify-otp': signIn.verifyOtpForm,
  'POST /api/referral/apply-code': commands.applyCodeBody,
  'POST /api/referral/wake': commands.wakeMemberBody,
  'POST /api/referral/week': commands.boardListingBody,
  'POST /api/tasks/complete': commands.completeTaskBody,
  'POST /api/commands/cancel': commands.cancelBody,
  'POST /api/inbox/read': commands.readInboxBody,
  'PATCH /api/user/profile': profileBody,
  'POST /api/user/sign-ins/end': confirmed.endSignInBody,
  'POST /api/user/sign-ins/end-others': confirmed.confirmBody,
  'POST /api/user/password': confirmed.changePasswordBody,
  'POST /api/user/passkeys/options': passkeys.passkeyOptionsBody,
  'POST /api/user/passkeys': passkeys.addPasskeyBody,
  'POST /api/user/passkeys/rename': passkeys.renamePasskeyBody,
  'POST /api/user/passkeys/remove': passkeys.removePasskeyBody,
  'POST /api/user/authenticator/set-up': confirmed.confirmBody,
  'POST /api/user/authenticator/confirm': factorCodeForm,
  'POST /api/user/authenticator/recovery-codes': confirmed.passwordAndCodeBody,
  'POST /api/user/authenticator/remove': confirmed.passwordAndCodeBody,
  'POST /api/user/export': confirmed.confirmBody,
  'POST /api/user/delete': confirmed.deleteBody,
  'POST /api/reminders/mail': reminders.mailReminderBody,
  'POST /api/reminders/kinds': reminders.pushKindBody,
  'POST /api/reminders/team': reminders.mailReminderBody,
  'POST /api/reminders/team/block': reminders.blockInviterBody,
  'POST /api/reminders/push': reminders.pushDeviceBody,
  'POST /api/reminders/push/remove': reminders.removeDeviceBody,
  'POST /api/password/forgot': signIn.forgotForm,
  'POST /api/password/reset': signIn.resetBody,
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

/** Name of the path parameter that ends a route, e.g. `code` in `/check/referral-code/:code`. */
export type ParamsOf<R extends string> = R extends `${string}:${infer Name}` ? Name : never

/** The body of every error, whose message is English. */
export type ErrorAnswer = {
  message: string
  code?: string
  /** One message for each invalid field of a form. */
  fields?: Record<string, string>
  /** The values in the message. */
  params?: ErrorParams
  /** What to solve and send along, with the code `proof_required`; signed by the gateway. */
  challenge?: Challenge
}
