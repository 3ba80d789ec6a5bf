import { RuleError } from '#rules/rule-error'
import { OperatorError } from '#runtime/operator-error'

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|57P03)$/
/** Some driver errors have a message and no code. */
const NO_ANSWER = /timeout expired|timed out|timeout acquiring|max retries per request/i
/** Postgres: no such account, password or database. */
const REFUSED = /^(28P01|28000|3D000)$/
const SETTINGS = 'the settings DATABASE_… and REDIS_URL'

/** A refused connection to a name with several addresses is an `AggregateError` without a message. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error
}

/** One sentence if the operator can act, else the whole error. */
export function explain(error: unknown): unknown {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return cause
  if (cause instanceof RuleError || cause instanceof OperatorError) return cause.message
  const { code = '', syscall, port } = cause as { code?: string; syscall?: string; port?: number }
  if (syscall === 'listen' && port !== undefined) return explainPortError(cause, port)
  if (REFUSED.test(code)) return `Postgres refuses: ${cause.message}. Check ${SETTINGS}.`
  const isAway = UNREACHABLE.test(code) && (code !== 'ENOENT' || syscall === 'connect')
  if (!isAway && !NO_ANSWER.test(cause.message)) return cause
  return `A server is not available: ${cause.message}. Start it, or check ${SETTINGS}.`
}

export function explainPortError(
  error: NodeJS.ErrnoException,
  port: number,
  setting = 'PORT',
): string {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop it or set ${setting} to a free one.`
  }
  if (error.code === 'EACCES')
    return `Port ${port} is not allowed for this account: set ${setting} to 1024 or higher.`
  return `Port ${port} cannot be used: ${error.message}`
}
