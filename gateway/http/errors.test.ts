import type Koa from 'koa'
import { expect, it } from 'vitest'
import { RuleError } from '#rules/rule-error'
import { createLog } from '#runtime/log'
import { errorAnswers, isUnavailable } from './errors.ts'

const databaseError = (code: string | undefined, message: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

/** What a Citus coordinator answers while a node is down or restarts, with the statement as Knex prints it. */
const LOST_NODE = [
  'COMMIT; - could not commit transaction for shard 102008 on at least one active node',
  'SAVEPOINT trx767; - SSL SYSCALL error: EOF detected\ninvalid socket',
  'RELEASE SAVEPOINT trx9; - server closed the connection unexpectedly',
  'SSL connection has been closed unexpectedly',
  'SSL error: unexpected eof while reading',
  'could not receive data from server: Connection reset by peer',
  'could not send data to server: Broken pipe',
  'no connection to the server',
  'COMMIT; - failure on connection marked as essential: 127.0.0.1:5433',
  `COMMIT; - failed to prepare transaction 'citus_0_4711_2_0' on host 127.0.0.1:5433`,
  'failed to COPY to shard 102008 on 127.0.0.1:5433',
  'failed to complete COPY on 127.0.0.1:5433',
  'could not connect to any active placements',
  'could not find an available connection',
]

it.each(LOST_NODE)('an error of Citus without a code means that a node is lost: %s', (message) => {
  expect(isUnavailable(databaseError('XX000', message))).toBe(true)
})

it.each([
  '40001',
  '40P01',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '53100',
  '53200',
  '53300',
  '25006',
  '25P03',
])('an error with the code %s means that Postgres is unavailable', (code) => {
  expect(isUnavailable(databaseError(code, 'any text'))).toBe(true)
})

it.each(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
  'a server that cannot be reached is unavailable: %s',
  (code) => {
    expect(isUnavailable(Object.assign(new Error('getaddrinfo'), { code }))).toBe(true)
  },
)

it.each([
  'MISCONF Redis is configured to save RDB snapshots, but',
  'WRONGPASS invalid username-password pair or user is disabled.',
  "OOM command not allowed when used memory > 'maxmemory'.",
  'NOREPLICAS Not enough good replicas to write.',
  'BUSY Redis is busy running a script.',
  'EXECABORT Transaction discarded because of previous errors.',
])('a Redis that takes no writes is unavailable: %s', (message) => {
  expect(isUnavailable(new Error(message))).toBe(true)
})

it.each([
  ['XX000', 'cache lookup failed for relation 4711'],
  ['XX000', 'could not find valid entry for shard 102008'],
  ['23505', 'duplicate key value violates unique constraint "wallets_pkey"'],
  [undefined, '3 ledger rows of 4 credits'],
])('an error in the program is not an unavailable database: %s %s', (code, message) => {
  expect(isUnavailable(databaseError(code, message))).toBe(false)
})

it('what is thrown without being an error is not an unavailable database', () => {
  expect(isUnavailable('connection to the remote node')).toBe(false)
})

it.each(['/api/check/email/', '/API/Check/Email/'])(
  'a rejection under %s is logged without what was looked up',
  async (path) => {
    const lines: string[] = []
    const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
    const ctx = { method: 'GET', path: `${path}a@test.example`, state: {}, set() {} }
    const next = () => Promise.reject(new RuleError('too_many_requests', 'Too many requests'))
    await errorAnswers(log)(ctx as unknown as Koa.Context, next)
    expect(JSON.parse(lines.join(''))).toMatchObject({ msg: 'request rejected', path: `${path}…` })
  },
)
