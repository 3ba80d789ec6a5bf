import { connect, type Socket } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpServer } from '#gateway/http/http-server'
import { readConfig } from '#runtime/config/config'
import { testSecrets } from '#scripts/testing/db/database'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { newMember } from '#scripts/testing/gateway/visitor'

let product: Product

beforeAll(async () => {
  product = await startProduct({
    env: { HEADERS_TIMEOUT_MS: '1500', REQUEST_TIMEOUT_MS: '4000' },
  })
})
afterAll(() => product.close())

/** Everything that the gateway sends on a connection until it closes it. */
function receivedText(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}

/** Opens a connection that sends a little more every 200 ms and never completes its request. */
function trickle(start: string, more: string): Socket {
  const { hostname, port } = new URL(product.urls[0] ?? '')
  const socket = connect(Number(port), hostname)
  // Before the connection stands, writes wait in their order.
  socket.write(start)
  const timer = setInterval(() => socket.write(more), 200)
  socket.once('close', () => clearInterval(timer))
  return socket
}

it('100 slow clients are answered 408 and closed while other requests are served', async () => {
  const member = await newMember(product)
  const post = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\n'
  const body = `${post}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`
  const slow = Array.from({ length: 100 }, (_, i) =>
    receivedText(i % 2 ? trickle(post, `X-More: ${i}\r\n`) : trickle(body, ' ')),
  )
  for (let i = 0; i < 20; i++) {
    expect((await member.call('GET /api/mining/status')).status).toBe(200)
  }
  for (const answer of await Promise.all(slow)) {
    const [head = '', json = '{}'] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(json)).toEqual({ message: 'The request took too long' })
  }
  expect((await member.call('GET /api/mining/status')).status).toBe(200)
})

const configWith = (env: Record<string, string>) => {
  const { databaseUrl, redisUrl } = product.config
  return readConfig({ ...testSecrets(), DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...env })
}

it('the default time-outs are 10 s for the headers and 15 s for a whole request', () => {
  const server = httpServer(new Koa().callback(), configWith({}))
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 15_000 })
})

it('any time-out that the settings accept makes a server', () => {
  const config = configWith({ HEADERS_TIMEOUT_MS: '101', REQUEST_TIMEOUT_MS: '101' })
  expect(() => httpServer(new Koa().callback(), config)).not.toThrow()
})
