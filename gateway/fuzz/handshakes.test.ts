import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { NO_LIMITS } from './accounts.ts'
import { badRefusal, problemOf } from './oracle.ts'
import { openWebSocket } from './raw-websocket.ts'
import { Sender } from './sender.ts'

let product: Product
let url: string
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ env: NO_LIMITS })
  url = product.urls[0] ?? ''
  member = await newMember(product)
})
afterAll(() => product.close())

const own = () => ({ Origin: url, Cookie: member.jar.header() ?? '' })

describe('a handshake', () => {
  const ws = '/socket.io/?EIO=4&transport=websocket'
  it.each([
    ...[
      ws.replace('4', '3'),
      ws.replace('4', '99'),
      ws.replace('4', 'x'),
      ws.replace('EIO=4&', ''),
    ],
    ...[
      '/socket.io/?EIO=4',
      '/socket.io/?EIO=4&transport=polling',
      '/socket.io/?%',
      '/socket.io/%00',
    ],
    ...[`${ws}&sid=nobody`, `${ws}&sid=__proto__`, `${ws}&sid=constructor`, `${ws}&sid[]=a&sid=b`],
    ...[
      '/socket.io/?EIO=4&transport=constructor',
      '/socket.io/?EIO=4&transport[]=websocket',
      `${ws}&EIO=5`,
    ],
    '/socket.io/?EIO=4&transport=webtransport',
  ])('is refused at %s', async (path) => {
    const socket = await openWebSocket(url, own(), path)
    await socket.closed
    // Another version of the protocol is refused once the socket stands, before a word is said.
    expect(socket.heard()).not.toMatch(/node_modules|\.js|\bat |"sid"/)
    expect([101, 400, 403]).toContain(socket.status)
  })

  it.each([
    [`${ws}&memberId=1&__proto__[a]=1&a[b]=c`, own],
    [`${ws}&${'a=b&'.repeat(500)}`, own],
    [`${ws}&b64=1&j=0&t=%00`, own],
  ])('with needless parameters gives no more than another: %s', async (path, headers) => {
    const socket = await openWebSocket(url, headers(), path)
    expect(socket.status).toBe(101)
    socket.text('40{"memberId":1}')
    await expect.poll(() => socket.heard()).toContain('40{"sid"')
    socket.destroy()
  })

  it.each<Record<string, string>>([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: '<script>' },
    { 'Sec-WebSocket-Version': '99' },
    { 'Sec-WebSocket-Key': 'short' },
    { Upgrade: 'wonders' },
    { 'Sec-WebSocket-Protocol': ',,,' },
  ])('with bad headers is refused: %j', async (headers) => {
    const socket = await openWebSocket(url, { ...own(), ...headers })
    await socket.closed
    expect(socket.status).toBeGreaterThanOrEqual(400)
    expect(socket.status).toBeLessThan(500)
  })

  it('without an upgrade is refused in JSON, whatever the method and the parameters', async () => {
    const sender = new Sender(url)
    const paths = [
      ws,
      '/socket.io/',
      '/socket.io/?EIO=4&transport=polling',
      `${ws}&sid=x`,
      `${ws}&%=%zz`,
    ]
    const bodies = ['', '40', '42["a"]', 'x'.repeat(100_000)]
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) {
      for (const path of paths) {
        for (const body of method === 'POST' ? bodies : [undefined]) {
          const request = { name: `${method} ${path}`, method, path, statuses: [400, 403] }
          const answer = await sender.send({ ...request, ...(body && { body }) })
          expect(problemOf(request, answer), request.name).toBeUndefined()
          if (method !== 'HEAD') expect(badRefusal(answer)).toBeUndefined()
        }
      }
    }
    sender.close()
  })
})
