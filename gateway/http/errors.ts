import type Koa from 'koa'
import type { Logger } from 'pino'
import type { ErrorAnswer } from '#contract/routes'
import { sqlState } from '#db/postgres/statements/transaction'
import { ProofRequired } from '#gateway/security/proof-of-work'
import { causeOf } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { type RuleCode, RuleError, STATUS } from '#rules/rule-error'

/** 40001 and 40P01: other transactions were in the way of each repetition, and this one is rolled back. */
const CODES =
  /^(40001|40P01|57P0[1-3]|57014|53[1-3]00|08\w{3}|25006|25P03|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

const DRIVER_TEXTS =
  /Connection terminated|connection error and is not queryable|Connection ended|Connection is closed|server closed the connection|Command timed out|max retries per request|Timeout acquiring a connection|Stream isn't writeable|Unable to acquire a connection|timeout expired|Too many Cluster redirections|None of startup nodes is available|^(?:BUSY|CLUSTERDOWN|EXECABORT|LOADING|MASTERDOWN|MISCONF|NOAUTH|NOREPLICAS|OOM|READONLY|TRYAGAIN|WRONGPASS) /i

/**
 * A Citus coordinator that has lost a node reports XX000, the code of an error in the program. The outcome is
 * unknown if the node was lost during its COMMIT: the idempotency key decides when the command is sent again.
 */
const LOST_NODE_TEXTS =
  /connection to the remote node|connection marked as essential|could not commit transaction for shard|failed to prepare transaction|failed to (?:complete )?COPY (?:to shard|on)|could not (?:connect to any active placements|find an available connection)|SSL SYSCALL error|SSL error:|SSL connection has been closed|could not (?:receive data from|send data to) server|no connection to the server/

export function isUnavailable(error: unknown): boolean {
  if (CODES.test(sqlState(error) ?? '')) return true
  if (!(error instanceof Error)) return false
  return DRIVER_TEXTS.test(error.message) || LOST_NODE_TEXTS.test(error.message)
}

/** `fields` holds one message for each invalid field. */
export class BadInput extends RuleError {
  constructor(
    message: string,
    readonly fields?: Record<string, string>,
    readonly status = 400,
  ) {
    super('bad_input', message)
  }
}

export function answerOf(error: unknown): {
  status: number
  answer: ErrorAnswer
  retryAfterMs?: number | undefined
} {
  if (error instanceof RuleError) {
    const { code, message, retryAfterMs, params } = error
    const { status, fields } =
      error instanceof BadInput ? error : { status: STATUS[code], fields: undefined }
    const challenge = error instanceof ProofRequired ? error.challenge : undefined
    return { status, answer: { message, code, fields, params, challenge }, retryAfterMs }
  }
  if (isUnavailable(error)) {
    const answer = { message: 'Service temporarily unavailable', code: 'unavailable' }
    return { status: 503, answer, retryAfterMs: 2_000 }
  }
  // `send` gives one to a path that it cannot decode, or that leads out of its folder.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status >= 400 && status < 500) return { status, answer: { message: API_TEXTS.badRequest } }
  return { status: 500, answer: { message: API_TEXTS.internal } }
}

export const retryAfterText = (ms: number) => String(Math.max(1, Math.ceil(ms / 1000)))

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
  'task_code_wrong',
] satisfies RuleCode[])

/** Unexpected errors are logged with their stack and answered without it. */
export function errorAnswers(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { status, answer, retryAfterMs } = answerOf(error)
      // The path may end with an e-mail that was looked up, which must not reach the log.
      const path = ctx.path.replace(/^(\/api\/check\/[^/]*\/).*/is, '$1…')
      const { requestId } = causeOf(ctx)
      const request = { requestId, method: ctx.method, path }
      if (status >= 500) log.error({ err: error, ...request }, 'request failed')
      const { code } = answer
      if (AUDITED_CODES.has(code)) {
        log.info({ ip: ctx.state.ip, code, ...request }, 'request rejected')
      }
      if (retryAfterMs !== undefined) ctx.set('Retry-After', retryAfterText(retryAfterMs))
      ctx.status = status
      ctx.body = answer
    }
  }
}
