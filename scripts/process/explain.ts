import { RuleError } from '#rules/rule-error'

/** Codes of servers that cannot be reached, do not accept the sign-in, or lack the database. */
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|57P03|28P01|28000|3D000)$/

/** A refused connection to a name with several addresses is an `AggregateError` without a message. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error
}

/** What a command prints before it fails: a sentence where the operator can act, else the whole error. */
export function explain(error: unknown): unknown {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return cause
  if (cause instanceof RuleError) return cause.message
  const { code } = cause as { code?: unknown }
  if (typeof code !== 'string' || !UNREACHABLE.test(code)) return cause
  return `A server is not available: ${cause.message}. Start it, or check DATABASE_URL and REDIS_URL.`
}
