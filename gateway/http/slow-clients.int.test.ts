import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpServer, listen } from '#gateway/http/http-server'
import { readConfig } from '#runtime/config/config'
import { testSecrets } from '#scripts/testing/db/database'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { newMember } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

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

it('an identity document may arrive slowly', async () => {
  const member = await newMember(product)
  const { host, hostname, port, origin } = new URL(product.urls[0] ?? '')
  const part = (name: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}\r\n`
  const body = `${part('name="documentType"', 'passport')}${part('name="document"; filename="a.jpg"', 'no picture')}--x--\r\n`
  const head = [
    'POST /api/user/kyc HTTP/1.1',
    `Host: ${host}`,
    `Origin: ${origin}`,
    `Cookie: ${member.jar.header()}`,
    'Idempotency-Key: slow-document-1',
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  const socket = connect(Number(port), hostname)
  const received = receivedText(socket)
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 20)}`)
  // Longer than other requests may take.
  await sleep(5_000)
  socket.write(body.slice(20))
  expect(await received).toMatch(/^HTTP\/1\.1 4\d\d .*"code":"document_refused"/s)
})

const configWith = (env: Record<string, string>) => {
  const { databaseUrl, redisUrl } = product.config
  return readConfig({ ...testSecrets(), DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...env })
}

it('the default time-outs are 10 s for the headers, 15 s for a body, 300 s for a document and 120 s for an unread answer', () => {
  const config = configWith({})
  const server = httpServer(new Koa().callback(), config)
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 300_000,
    timeout: 120_000,
  })
  expect(config.requestTimeoutMs).toBe(15_000)
})

it('any time-out that the settings accept makes a server', () => {
  const config = configWith({ HEADERS_TIMEOUT_MS: '101', REQUEST_TIMEOUT_MS: '101' })
  expect(() => httpServer(new Koa().callback(), config)).not.toThrow()
})

describe('requests that do not wait for the answer before', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const LAST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

  /** A server whose requests are counted and answered by `answer`. */
  async function counting(answer: (response: ServerResponse, n: number) => void) {
    let handled = 0
    const server = httpServer((_, response) => answer(response, ++handled), configWith({}))
    const port = await listen(server, 0, '127.0.0.1')
    return {
      url: `http://127.0.0.1:${port}`,
      handled: () => handled,
      close: () => new Promise((resolve) => server.close(resolve)),
    }
  }

  it('are answered one after another', async () => {
    let open = 0
    const server = await counting(async (response, n) => {
      expect(++open).toBe(1)
      await sleep(20)
      open--
      response.end(`answer ${n}`)
    })
    const text = await rawRequest(server.url, GET + GET + LAST)
    expect(text.match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3'])
    await server.close()
  })

  it('cost nothing while they wait, and more than ten end the connection', async () => {
    const server = await counting(() => {})
    await rawRequest(server.url, GET.repeat(2_000)).catch(({ code }) => {
      expect(['ECONNRESET', 'EPIPE']).toContain(code)
    })
    expect(server.handled()).toBe(1)
    await server.close()
  })
})
