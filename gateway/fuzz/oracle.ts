import type { BadRequest } from './case.ts'
import type { Answer } from './sender.ts'

/** What only our own files, libraries and statements would say. */
const INSIDES =
  /node_modules|\bat .*:\d+:\d+|\.(?:ts|mjs|cjs)\b|(?:file:\/|\/(?:home|usr|var|tmp|work)\/)|\b(?:knex|koa|yup|formidable|ioredis|postgres|redis|co-body)\b|\b(?:select|insert into|update|delete from)\b .*\b(?:from|values|set|where)\b|syntax error|violates|relation "|stack|undefined|\[object /i
/** Longest refusal: it does not repeat what was sent. */
const LONGEST = 1_500

/** Why a refusal is not one for members to read; nothing where it is. */
export function badRefusal({ type, body }: Pick<Answer, 'type' | 'body'>): string | undefined {
  if (!type.startsWith('application/json')) return `is of the type "${type}"`
  if (body.length > LONGEST) return `has ${body.length} characters`
  if (INSIDES.test(body)) return `shows its insides: ${body}`
  try {
    const { message } = JSON.parse(body)
    return typeof message === 'string' && message.trim() ? undefined : `has no message: ${body}`
  } catch {
    return `is no JSON: ${body.slice(0, 200)}`
  }
}

/** What is wrong with the answer to a bad request; nothing where all is well. */
export function problemOf(
  { method, statuses, code }: BadRequest,
  answer: Answer,
): string | undefined {
  const { status, type, body } = answer
  if (status === 0) return `no answer: ${body}`
  if (statuses && !statuses.includes(status)) return `${status} and not ${statuses}: ${body}`
  if (status === 429) return `a limit hides the answer: ${body}`
  if (status >= 500 && !statuses) return `${status}: ${body}`
  if (status >= 400 && method === 'HEAD')
    return type.startsWith('application/json') ? undefined : type
  if (status >= 400) {
    const reason = badRefusal(answer)
    if (reason) return `the refusal ${reason}`
    return code && JSON.parse(body).code !== code
      ? `refused for another reason: ${body}`
      : undefined
  }
  const isJson = body === '' || type.startsWith('application/json')
  return isJson ? undefined : `${status} of the type "${type}"`
}
