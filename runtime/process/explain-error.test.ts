import { expect, it } from 'vitest'
import { RuleError } from '#rules/rule-error'
import { explain } from './explain-error.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })

it('a server with several addresses is named by the first one that refused', () => {
  const error = Object.assign(new AggregateError([refused, refused]), { code: 'ECONNREFUSED' })
  expect(explain(error)).toBe(
    'A server is not available: connect ECONNREFUSED ::1:5432. Start it, or check the settings DATABASE_… and REDIS_URL.',
  )
})

it('a broken rule is its message, and an unexpected error stays whole', () => {
  expect(explain(new RuleError('bad_input', '--reason is missing'))).toBe('--reason is missing')
  const unexpected = new TypeError('x is not a function')
  expect(explain(unexpected)).toBe(unexpected)
})

it.each([
  ['ENOENT', 'connect', 'connect ENOENT /run/postgresql/.s.PGSQL.5432'],
  [undefined, undefined, 'timeout expired'],
  [undefined, undefined, 'Reached the max retries per request limit (which is 20).'],
])('a server that does not answer is named (%s %s)', (code, syscall, message) => {
  const error = Object.assign(new Error(message), { code, syscall })
  expect(explain(error)).toContain(`A server is not available: ${message}`)
})

it.each([
  ['EADDRINUSE', 'Port 3000 is in use by another program: stop it or set PORT to a free one.'],
  ['EACCES', 'Port 3000 is not allowed for this account: set PORT to 1024 or higher.'],
])('a port that cannot be used is named (%s)', (code, sentence) => {
  const error = Object.assign(new Error('listen'), { code, syscall: 'listen', port: 3000 })
  expect(explain(error)).toBe(sentence)
})

it('a refused sign-in names the settings, and a missing file stays whole', () => {
  const refusal = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  expect(explain(refusal)).toBe(
    'Postgres refuses: password authentication failed. Check the settings DATABASE_… and REDIS_URL.',
  )
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })
  expect(explain(missing)).toBe(missing)
})
