import { type AnyObjectSchema, type InferType, number, object, string } from 'yup'
import type { MemberExport } from '#rules/member-export'
import type {
  Activity,
  AppInfo,
  Availability,
  ClaimResult,
  CompletedTask,
  MilestoneCheck,
  MiningStatus,
  NetworkStatus,
  ReferralCodeCheck,
  ReferralInfo,
  TaskClaim,
  TeamMember,
  User,
  Wallet,
} from '#rules/snapshots'
import {
  applyCodeBody,
  completeTaskBody,
  deleteBody,
  exportBody,
  forgotForm,
  loginForm,
  profileBody,
  registerBody,
  resetBody,
  sendOtpForm,
  verifyOtpForm,
} from './forms.ts'

/** What each call of the product answers (Specification §7). The key is the route's one name. */
export type Answers = {
  'GET /api/user': User
  'POST /api/login': User
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
  'GET /api/referral/info': ReferralInfo
  'GET /api/referral/members': TeamMember[]
  'GET /api/referral/check-milestones': MilestoneCheck
  'POST /api/referral/generate-code': { success: true; referralCode: string }
  'POST /api/referral/apply-code': { success: boolean; message: string }
  'GET /api/network': NetworkStatus
  'GET /api/tasks/completed': { completedTasks: CompletedTask[] }
  'POST /api/tasks/complete': TaskClaim
  'PATCH /api/user/profile': User
  'POST /api/user/kyc': { success: true; message: string; kycStatus: User['kycStatus'] }
  'POST /api/user/export': MemberExport
  'POST /api/user/delete': { success: true; message: string }
  'POST /api/password/forgot': { success: true; message: string }
  'POST /api/password/reset': { success: true; message: string }
  'GET /api/app': AppInfo
}

export type RouteName = keyof Answers

/** Rows of a pushed page of activity, and of each page that the client asks for. */
export const ACTIVITY_PAGE = 20
/** Largest page of the activity; what a client without parameters gets. */
export const ACTIVITY_MAX = 100

/** Largest id of a member, as the database counts them. */
const MAX_ID = 2 ** 31 - 1

/** Team members in GET /api/referral/info and in each further page. */
export const TEAM_PAGE = 100

/** The body that a route takes, validated in the form and again at the edge. */
export const bodies = {
  'POST /api/login': loginForm,
  'POST /api/register': registerBody,
  'POST /api/verify/send-otp': sendOtpForm,
  'POST /api/verify/verify-otp': verifyOtpForm,
  'POST /api/referral/apply-code': applyCodeBody,
  'POST /api/tasks/complete': completeTaskBody,
  'PATCH /api/user/profile': profileBody,
  'POST /api/user/export': exportBody,
  'POST /api/user/delete': deleteBody,
  'POST /api/password/forgot': forgotForm,
  'POST /api/password/reset': resetBody,
} satisfies Partial<Record<RouteName, AnyObjectSchema>>

/** The query parameters that a route takes; all are optional and come as text. */
export const queries = {
  'GET /api/wallet/activity': object({
    /** Cursor from the header `X-Next-Cursor` of the page before. */
    before: string().max(64),
    limit: number().integer().min(1).max(ACTIVITY_MAX),
  }),
  'GET /api/referral/members': object({
    /** Id of the last member of the page before; the next ones joined earlier. */
    before: number().integer().min(1).max(MAX_ID),
  }),
  'GET /api/app': object({
    /** Version of the client that asks; flags may need a newer one. */
    version: string().max(32),
  }),
} satisfies Partial<Record<RouteName, AnyObjectSchema>>

export type BodyOf<R extends RouteName> = R extends keyof typeof bodies
  ? InferType<(typeof bodies)[R]>
  : undefined

export type QueryOf<R extends RouteName> = R extends keyof typeof queries
  ? InferType<(typeof queries)[R]>
  : undefined

/** Names of the path parameters in a route's name. */
export type ParamsOf<R extends string> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : R extends `${string}:${infer Name}`
    ? Name
    : never

/** Headers that carry what a bare list cannot: its age and the next page. */
export const AS_OF_HEADER = 'X-As-Of'
export const NEXT_CURSOR_HEADER = 'X-Next-Cursor'
/** A key made by the client: a request repeated under it gets the first answer again. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/** Every refusal, whatever its status. `fields` names the fields of a form that were wrong. */
export type ErrorAnswer = { message: string; code?: string; fields?: Record<string, string> }
