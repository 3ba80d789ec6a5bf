import { beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { parsed } from '#scripts/testing/gateway/wire/raw-request'
import { openRawSocket } from '#scripts/testing/gateway/wire/raw-socket'
import { NO_LIMITS } from './harness/accounts.ts'
import { errorViolation, violation } from './harness/oracle.ts'
import { Sender } from './harness/sender.ts'

const product = useProduct({ env: NO_LIMITS })
let url: string
let member: Visitor

beforeAll(async () => {
  url = product.urls[0] ?? ''
  member = await newMember(product)
})

const own = () => ({ Origin: url, Cookie: member.jar.header() ?? '' })

const ws = '/socket.io/?EIO=4&transport=websocket'

it.each<[refusal: string, headers: Record<string, string>, path: string, status: number]>([
  ['a foreign origin', { Origin: 'https://evil.example' }, ws, 403],
  ['an unknown transport', {}, '/socket.io/?EIO=4&transport=pigeon', 400],
  ['an unknown session', {}, `${ws}&sid=nobody`, 400],
  ['a WebSocket key of the wrong length', { 'Sec-WebSocket-Key': 'short' }, ws, 400],
  ['an unknown WebSocket version', { 'Sec-WebSocket-Version': '99' }, ws, 400],
  ['another path', {}, '/api/user', 400],
])('an upgrade with %s is refused in JSON', async (_, headers, path, status) => {
  const socket = await openRawSocket(url, { headers: { Origin: url, ...headers }, path })
  await socket.closed
  expect(socket.received()).toMatch(/content-type: application\/json/i)
  expect(parsed(socket.received())).toEqual({ status, body: { message: expect.any(String) } })
})

it.each([
  ws.replace('4', '3'),
  ws.replace('4', '99'),
  ws.replace('4', 'x'),
  ws.replace('EIO=4&', ''),
  '/socket.io/?EIO=4',
  '/socket.io/?EIO=4&transport=polling',
  '/socket.io/?%',
  '/socket.io/%00',
  `${ws}&sid=nobody`,
  `${ws}&sid=__proto__`,
  `${ws}&sid=constructor`,
  `${ws}&sid[]=a&sid=b`,
  '/socket.io/?EIO=4&transport=constructor',
  '/socket.io/?EIO=4&transport[]=websocket',
  `${ws}&EIO=5`,
  '/socket.io/?EIO=4&transport=webtransport',
])('a handshake at %s is rejected', async (path) => {
  const socket = await openRawSocket(url, { headers: own(), path })
  await socket.closed
  // Another protocol version is rejected after the upgrade, before any packet.
  expect(socket.received()).not.toMatch(/node_modules|\.js|\bat |"sid"/)
  expect([101, 400, 403]).toContain(socket.status)
})

it.each([
  ['nested parameters', `${ws}&memberId=1&__proto__[a]=1&a[b]=c`],
  ['500 parameters', `${ws}&${'a=b&'.repeat(500)}`],
  ['parameters of long polling', `${ws}&b64=1&j=0&t=%00`],
])('a handshake ignores %s', async (_, path) => {
  const socket = await openRawSocket(url, { headers: own(), path })
  expect(socket.status).toBe(101)
  socket.send('40{"memberId":1}')
  await expect.poll(() => socket.received()).toContain('40{"sid"')
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
])('a handshake with the headers %j is rejected', async (headers) => {
  const socket = await openRawSocket(url, { headers: { ...own(), ...headers } })
  await socket.closed
  expect(socket.status).toBeGreaterThanOrEqual(400)
  expect(socket.status).toBeLessThan(500)
})

it('socket requests without an upgrade are rejected in JSON for every method', async () => {
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
        const response = await sender.send({ ...request, ...(body && { body }) })
        expect(violation(request, response), request.name).toBeUndefined()
        if (method !== 'HEAD') expect(errorViolation(response)).toBeUndefined()
      }
    }
  }
  sender.close()
})
