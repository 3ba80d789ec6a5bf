import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { createLog } from '#runtime/log'
import { OperatorError } from '#runtime/operator-error'
import { errorPages } from './http.ts'

/** Status and page of a handler that fails. */
async function answerTo(error: Error) {
  const app = new Koa().use(errorPages({ log: createLog('test', 'silent') })).use(() => {
    throw error
  })
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return [answer.status, await answer.text()] as const
  } finally {
    server.close()
  }
}

it.each([
  [
    500,
    'what an operator can do',
    new OperatorError('Run npm run migrate.'),
    'Run npm run migrate.',
  ],
  [503, 'that Redis is away', new Error('Connection is closed.'), 'does not answer. Before you'],
  [
    503,
    'that the database is away',
    Object.assign(new Error(), { code: '57P01' }),
    'see in the log',
  ],
])('an error page with status %i says %s', async (status, _, error, text) => {
  expect(await answerTo(error)).toEqual([status, expect.stringContaining(text)])
})

it('an error page says nothing of an unexpected error', async () => {
  const [status, page] = await answerTo(new Error('a secret'))
  expect([status, page.includes('Error 500'), page.includes('a secret')]).toEqual([
    500,
    true,
    false,
  ])
})
