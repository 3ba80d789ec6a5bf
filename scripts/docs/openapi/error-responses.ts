import { type RuleCode, STATUS } from '#rules/rule-error'
import type { JsonSchema } from './type-schemas.ts'

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'The answer to every refused request. Clients decide by `code`; `message` is written for members.',
  properties: {
    message: { type: 'string' },
    code: {
      description:
        'Absent when the request did not reach a route (404, 405, 408, 431) and for 500.',
      type: 'string',
      enum: [...Object.keys(STATUS), 'unavailable'].sort(),
    },
    fields: {
      description: 'Message of each wrong field of a form, by its name.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
    params: {
      description: 'The values in the message, with which a client shows it in another language.',
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
    },
  },
  required: ['message'],
}

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

export const SHARED_RESPONSES = {
  Unavailable: {
    description: '`unavailable`: the database or Redis does not answer. Send the request again.',
    headers: retryAfter,
    content,
  },
  ServerError: { description: 'An unexpected error; its details are only logged.', content },
}

const WHY_ON_STATUS: Record<number, string> = {
  413: '`bad_input`: the body is too large.',
  415: '`bad_input`: the body is not JSON.',
}

function unavailable(names: string[] | undefined): object {
  if (!names) return { $ref: '#/components/responses/Unavailable' }
  const { description, ...rest } = SHARED_RESPONSES.Unavailable
  return { description: `${names.join(', ')}; ${description}`, ...rest }
}

export function errorResponses(codes: RuleCode[], statuses: number[]): Record<string, object> {
  const byStatus = new Map<number, string[]>()
  for (const code of new Set(codes)) {
    byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), `\`${code}\``])
  }
  const own = [...byStatus].map(([status, names]) => {
    const headers = status === 429 ? { headers: retryAfter } : {}
    return [status, { description: names.join(', '), ...headers, content }]
  })
  const extra = statuses.map((status) => [
    status,
    { description: WHY_ON_STATUS[status] ?? '`bad_input`', content },
  ])
  return {
    ...Object.fromEntries([...own, ...extra]),
    500: { $ref: '#/components/responses/ServerError' },
    503: unavailable(byStatus.get(503)),
  }
}
