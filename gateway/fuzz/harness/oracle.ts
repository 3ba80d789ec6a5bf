import type { FuzzCase } from '#gateway/fuzz/cases/case'
import type { RawResponse } from './sender.ts'

/** Text that only our files, libraries or SQL statements would produce. */
const INTERNALS =
  /node_modules|\bat .*:\d+:\d+|\.(?:ts|mjs|cjs)\b|(?:file:\/|\/(?:home|usr|var|tmp|work)\/)|\b(?:knex|koa|yup|undici|ioredis|postgres|redis|co-body)\b|\b(?:select|insert into|update|delete from)\b .*\b(?:from|values|set|where)\b|syntax error|violates|relation "|stack|undefined|\[object /i
/** Maximum length of an error response: longer ones would echo the request. */
const MAX_LENGTH = 1_500

/** The fault of an error response, or undefined: it must be JSON with a message, no internals. */
export function errorViolation({
  type,
  body,
}: Pick<RawResponse, 'type' | 'body'>): string | undefined {
  if (!type.startsWith('application/json')) return `has the type "${type}"`
  if (body.length > MAX_LENGTH) return `has ${body.length} characters`
  if (INTERNALS.test(body)) return `exposes internals: ${body}`
  try {
    const { message } = JSON.parse(body)
    return typeof message === 'string' && message.trim() ? undefined : `has no message: ${body}`
  } catch {
    return `is not JSON: ${body.slice(0, 200)}`
  }
}

export function violation(
  { method, statuses, code }: FuzzCase,
  response: RawResponse,
): string | undefined {
  const { status, type, body } = response
  if (status === 0) return `no response: ${body}`
  if (statuses && !statuses.includes(status)) return `${status}, expected ${statuses}: ${body}`
  if (status === 429) return `rate limited: ${body}`
  if (status >= 500 && !statuses) return `${status}: ${body}`
  if (status >= 400 && method === 'HEAD')
    return type.startsWith('application/json') ? undefined : type
  if (status >= 400) {
    const reason = errorViolation(response)
    if (reason) return `the error ${reason}`
    return code && JSON.parse(body).code !== code ? `wrong error code: ${body}` : undefined
  }
  const isExpected = body === '' || /^(?:application\/json|text\/csv)\b/.test(type)
  return isExpected ? undefined : `${status} with the type "${type}"`
}
