import { createPublicKey, verify } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { newPrivateKey, publicKeyOf } from '#runtime/secrets/vapid-keys'
import { type PushService, pushService } from '#scripts/testing/workers/push-service'
import { publicLookup } from './public-lookup.ts'
import { type PushMessage, sendPush } from './send-push.ts'

const privateKey = newPrivateKey()
const publicKey = publicKeyOf(privateKey)
const config = {
  vapidPublicKey: publicKey,
  vapidPrivateKey: privateKey,
  publicOrigins: ['https://tesp.example'],
  mailFrom: 'TESP Network <no-reply@tesp.example>',
  pushPrivateEndpoints: true,
}
const message: PushMessage = { payload: '{"tag":"session-5"}', topic: 'session-5', ttlSeconds: 60 }

let service: PushService
beforeAll(async () => {
  service = await pushService()
})
afterAll(() => service.close())
afterEach(() => {
  service.refusal = undefined
  service.deliveries.length = 0
})

const send = (change: Partial<typeof config> = {}) =>
  sendPush({ ...config, ...change }, service.subscribe().subscription, message)

/** Claims of a token that the key has signed (ES256). */
function claimsOf(token: string, key: string): Record<string, unknown> {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: bytes.subarray(1, 33).toString('base64url'),
    y: bytes.subarray(33).toString('base64url'),
  }
  const verifier = {
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  } as const
  const signed = Buffer.from(`${header}.${claims}`)
  expect(verify('sha256', signed, verifier, Buffer.from(signature, 'base64url'))).toBe(true)
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}

it('a message arrives encrypted for its device, with topic and lifetime', async () => {
  expect(await send()).toEqual({ state: 'accepted' })
  const [delivery] = service.deliveries
  expect(delivery?.payload).toEqual({ tag: 'session-5' })
  expect(delivery?.headers).toMatchObject({
    topic: 'session-5',
    ttl: '60',
    'content-encoding': 'aes128gcm',
  })
})

it('a message is signed with the VAPID key for its push service only', async () => {
  await send()
  const authorization = service.deliveries[0]?.headers.authorization ?? ''
  const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(authorization) ?? []
  expect(key).toBe(publicKey)
  const claims = claimsOf(token, key)
  expect(claims).toMatchObject({ aud: service.origin, sub: 'https://tesp.example' })
  expect(Number(claims.exp) * 1_000).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000)
})

it('without an https origin the sender of mails is the contact', async () => {
  await send({ publicOrigins: [] })
  const authorization = service.deliveries[0]?.headers.authorization ?? ''
  const [, token = ''] = /^vapid t=(.+), k=/.exec(authorization) ?? []
  expect(claimsOf(token, publicKey).sub).toBe('mailto:no-reply@tesp.example')
})

it.each([
  [404, {}, { state: 'gone', reason: 'status 404' }],
  [410, {}, { state: 'gone', reason: 'status 410' }],
  [400, {}, { state: 'rejected', reason: 'status 400' }],
  [403, {}, { state: 'rejected', reason: 'status 403' }],
  [302, { Location: '/elsewhere' }, { state: 'rejected', reason: 'status 302' }],
  [429, { 'Retry-After': '120' }, { state: 'unavailable', retryAfterMs: 120_000 }],
  [503, {}, { state: 'unavailable', reason: 'status 503' }],
])('status %i with %j is understood', async (status, headers, result) => {
  service.refusal = { status, headers }
  expect(await send()).toMatchObject(result)
})

it('a push service that refuses connections is unavailable', async () => {
  const other = await pushService()
  const { subscription } = other.subscribe()
  await other.close()
  expect(await sendPush(config, subscription, message)).toMatchObject({ state: 'unavailable' })
})

it('a private endpoint gets no request', async () => {
  const { subscription } = service.subscribe()
  const closed = { ...config, pushPrivateEndpoints: false }
  expect(await sendPush(closed, subscription, message)).toMatchObject({ state: 'gone' })
  expect(service.deliveries).toEqual([])
})

it('a name that resolves to a private address gets no request', async () => {
  const { subscription } = service.subscribe()
  const named = { ...subscription, endpoint: 'https://push.example/abc' }
  const closed = { ...config, pushPrivateEndpoints: false }
  const lookup = publicLookup(async () => [{ address: '127.0.0.1', family: 4 }])
  expect(await sendPush(closed, named, message, lookup)).toEqual({
    state: 'gone',
    reason: 'push.example has no public address',
  })
})

it('without keys nothing is sent', async () => {
  expect(await send({ vapidPrivateKey: '' })).toMatchObject({ state: 'rejected' })
  expect(service.deliveries).toEqual([])
})
