import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember } from '#gateway/testing/visitor'

let product: Product

beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.close())

/** What a connection is answered until the gateway closes it. */
function answered(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}

/** Opens a connection that says a little more each second, and never all. */
function trickle(start: string, more: string): Socket {
  const { hostname, port } = new URL(product.urls[0] ?? '')
  const socket = connect(Number(port), hostname, () => socket.write(start))
  const timer = setInterval(() => socket.write(more), 1_000)
  socket.once('close', () => clearInterval(timer))
  return socket
}

it('are answered 408 and hung up on, and nobody else waits for them', async () => {
  const member = await newMember(product)
  const post = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\n'
  const body = `${post}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`
  const ended: string[] = []
  const slow = Array.from({ length: 100 }, async (_, i) => {
    const answer = await answered(i % 2 ? trickle(post, `X-More: ${i}\r\n`) : trickle(body, ' '))
    ended.push(i % 2 ? 'headers' : 'body')
    return answer
  })
  for (let i = 0; i < 20; i++) {
    expect((await member.call('GET /api/mining/status')).status).toBe(200)
  }
  for (const answer of await Promise.all(slow)) {
    const [head = '', json = '{}'] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(json)).toEqual({ message: 'The request took too long' })
  }
  // Headers have 10 s, a whole request 15 s.
  expect(ended.slice(0, 50)).toEqual(Array<string>(50).fill('headers'))
  expect((await member.call('GET /api/mining/status')).status).toBe(200)
}, 40_000)
