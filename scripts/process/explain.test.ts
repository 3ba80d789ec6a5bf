import { expect, it } from 'vitest'
import { RuleError } from '#rules/rule-error'
import { explain } from './explain.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })

it('a server with several addresses is named by the first one that refused', () => {
  const error = Object.assign(new AggregateError([refused, refused]), { code: 'ECONNREFUSED' })
  expect(explain(error)).toBe(
    'A server is not available: connect ECONNREFUSED ::1:5432. Start it, or check DATABASE_URL and REDIS_URL.',
  )
})

it('a broken rule is its message, and an unexpected error stays whole', () => {
  expect(explain(new RuleError('bad_input', '--reason is missing'))).toBe('--reason is missing')
  const unexpected = new TypeError('x is not a function')
  expect(explain(unexpected)).toBe(unexpected)
})
