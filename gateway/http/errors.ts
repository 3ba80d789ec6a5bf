import type Koa from 'koa'
import type { Logger } from 'pino'
import type { ErrorAnswer } from '#contract/routes'
import { type RuleCode, RuleError } from '#rules/rule-error'
import { isUnavailable } from './unavailable.ts'

/** HTTP status of each rule's error; no other place translates them. */
export const STATUS: Record<RuleCode, number> = {
  bad_input: 400,
  not_signed_in: 401,
  wrong_credentials: 401,
  // Not 401: the member stays signed in.
  wrong_password: 403,
  account_frozen: 403,
  cross_site: 403,
  not_found: 404,
  too_many_requests: 429,
  command_cancelled: 409,
  username_taken: 409,
  email_taken: 409,
  email_not_verified: 400,
  otp_required: 401,
  otp_invalid: 400,
  otp_used_up: 400,
  otp_too_soon: 429,
  mining_active: 409,
  mining_inactive: 409,
  session_quarantined: 409,
  nothing_to_claim: 400,
  claim_cooldown: 429,
  task_unknown: 404,
  task_claimed: 409,
  referral_refused: 400,
  referral_unknown: 400,
  already_posted: 409,
  insufficient_balance: 409,
  kyc_not_open: 409,
  document_refused: 400,
  push_unavailable: 409,
  subscription_refused: 400,
  second_factor_required: 401,
  // Not 401: the password was right, or the member is signed in.
  second_factor_invalid: 400,
  second_factor_on: 409,
  second_factor_off: 409,
  second_step_expired: 400,
  passkey_refused: 400,
  passkeys_full: 409,
}

/** A request that breaks its schema; `fields` holds one message for each invalid field. */
export class BadInput extends RuleError {
  constructor(
    message: string,
    readonly fields?: Record<string, string>,
    readonly status = 400,
  ) {
    super('bad_input', message)
  }
}

/** The 4xx status that a library of the HTTP stack gave to an error, such as 413 for a large body. */
function clientStatus(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

const CLIENT_MESSAGES: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed',
  413: 'The request is too large',
  415: 'Send JSON',
}

function answerOf(error: unknown): { status: number; answer: ErrorAnswer; retryAfterMs?: number } {
  if (error instanceof RuleError) {
    const { code, message, retryAfterMs } = error
    const status = error instanceof BadInput ? error.status : STATUS[code]
    const fields = error instanceof BadInput ? error.fields : undefined
    const answer = fields ? { message, code, fields } : { message, code }
    return { status, answer, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }
  if (isUnavailable(error)) {
    const answer = { message: 'Service temporarily unavailable', code: 'unavailable' }
    return { status: 503, answer, retryAfterMs: 2_000 }
  }
  const status = clientStatus(error)
  if (status) return { status, answer: { message: CLIENT_MESSAGES[status] ?? 'Bad request' } }
  return { status: 500, answer: { message: 'Something went wrong' } }
}

/** Rejections that are logged because many of them may be an attack. */
const AUDITED_CODES = new Set<string | undefined>([
  'too_many_requests',
  'cross_site',
  'otp_required',
  'otp_invalid',
  'otp_used_up',
  'wrong_password',
  'account_frozen',
  'second_factor_invalid',
  'passkey_refused',
] satisfies RuleCode[])

/** Answers every error as JSON. Unexpected ones are logged with their stack and answered without it. */
export function errorAnswers(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { status, answer, retryAfterMs } = answerOf(error)
      // The path may end with an e-mail that was looked up, which must not reach the log.
      const path = ctx.path.replace(/^(\/api\/check\/[^/]*\/).*/s, '$1…')
      const request = { method: ctx.method, path }
      if (status >= 500) log.error({ err: error, ...request }, 'request failed')
      const { code } = answer
      if (AUDITED_CODES.has(code)) {
        log.info({ ip: ctx.state.ip, code, ...request }, 'request rejected')
      }
      if (retryAfterMs !== undefined) {
        ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))))
      }
      ctx.status = status
      ctx.body = answer
    }
  }
}
