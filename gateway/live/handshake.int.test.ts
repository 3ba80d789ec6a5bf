import { expect, it } from 'vitest'
import { SOCKET_PATH } from '#contract/events'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { parsed } from '#scripts/testing/gateway/wire/raw-request'
import { openRawSocket } from '#scripts/testing/gateway/wire/raw-socket'

const product = useProduct()
const path = `${SOCKET_PATH}/?EIO=4&transport=websocket`

it.each<[refusal: string, headers: Record<string, string>, path: string, status: number]>([
  ['a foreign origin', { Origin: 'https://evil.example' }, path, 403],
  ['an unknown transport', {}, `${SOCKET_PATH}/?EIO=4&transport=pigeon`, 400],
  ['an unknown session', {}, `${path}&sid=nobody`, 400],
  ['a WebSocket key of the wrong length', { 'Sec-WebSocket-Key': 'short' }, path, 400],
  ['an unknown WebSocket version', { 'Sec-WebSocket-Version': '99' }, path, 400],
  ['another path', {}, '/api/user', 400],
])('an upgrade with %s is refused in JSON', async (_, headers, target, status) => {
  const url = product.urls[0] ?? ''
  const socket = await openRawSocket(url, { headers: { Origin: url, ...headers }, path: target })
  await socket.closed
  expect(socket.received()).toMatch(/content-type: application\/json/i)
  expect(parsed(socket.received())).toEqual({ status, body: { message: expect.any(String) } })
})
