import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS, IDLE_SIGN_IN_MS, MINUTE_MS } from '#rules/constants'
import { redisForRequests } from '#runtime/redis'
import { testDatabase } from '#scripts/testing/db/database'
import { AuthSessionStore, authSessionName, newAuthSessionId } from './auth-session-store.ts'

const NOW = Date.UTC(2026, 0, 1)
let database: Awaited<ReturnType<typeof testDatabase>>
let redis: ReturnType<typeof redisForRequests>
let store: AuthSessionStore
let id: string
let redisKey: string

beforeAll(async () => {
  database = await testDatabase()
  redis = redisForRequests(database.redisUrl)
  store = new AuthSessionStore(redis, database.redisPrefix)
})
afterAll(async () => {
  redis.disconnect()
  await database.drop()
})
beforeEach(() => {
  id = newAuthSessionId()
  redisKey = `${database.redisPrefix}:auth:${authSessionName(id)}`
})

const signIn = (lifeMs: number, remembered = false) =>
  store.set(id, { memberId: 7, epoch: 0, expiresAt: NOW + lifeMs, remembered }, NOW)
/** Time until the session expires without further requests, rounded up to minutes. */
const leftMs = async () => Math.ceil((await redis.pttl(redisKey)) / MINUTE_MS) * MINUTE_MS

it('a sign-in expires after twelve idle hours; a request restarts them', async () => {
  await signIn(DAY_MS)
  expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
  await redis.pexpire(redisKey, HOUR_MS)
  expect(await store.get(id, NOW)).toMatchObject({ memberId: 7 })
  expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
})

it('the idle end is postponed at most once a minute', async () => {
  await signIn(DAY_MS)
  await store.get(id, NOW)
  await redis.pexpire(redisKey, HOUR_MS)
  await store.get(id, NOW + MINUTE_MS - 1)
  expect(await leftMs()).toBe(HOUR_MS)
  await store.get(id, NOW + MINUTE_MS)
  expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
})

it('a clock that was set back postpones the idle end at once', async () => {
  await signIn(30 * DAY_MS)
  await store.get(id, NOW + DAY_MS)
  await redis.pexpire(redisKey, HOUR_MS)
  await store.get(id, NOW)
  expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
})

it('a server that reads and takes no writes fails no request of a sign-in', async () => {
  await signIn(DAY_MS)
  await redis.pexpire(redisKey, HOUR_MS)
  const pexpire = vi.spyOn(redis, 'pexpire').mockRejectedValue(new Error('READONLY'))
  expect(await store.get(id, NOW)).toMatchObject({ memberId: 7 })
  pexpire.mockRestore()
  expect(await store.get(id, NOW)).toMatchObject({ memberId: 7 })
  expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
})

it('a sign-in expires at its absolute lifetime even while in use', async () => {
  await signIn(2 * HOUR_MS)
  await redis.pexpire(redisKey, HOUR_MS)
  expect(await store.get(id, NOW)).toMatchObject({ memberId: 7 })
  expect(await leftMs()).toBe(2 * HOUR_MS)
  expect(await store.get(id, NOW + 2 * HOUR_MS)).toBeUndefined()
})

it('a remembered sign-in has no idle limit', async () => {
  await signIn(30 * DAY_MS, true)
  expect(await leftMs()).toBe(30 * DAY_MS)
})

it('concurrent reads do not restore a session that is being destroyed', async () => {
  await signIn(DAY_MS)
  await redis.pexpire(redisKey, HOUR_MS)
  const reads = Array.from({ length: 30 }, () => store.get(id, NOW))
  await Promise.all([store.end(authSessionName(id)), ...reads])
  expect(await redis.exists(redisKey)).toBe(0)
})

it('an update does not restore a session that was ended', async () => {
  await signIn(DAY_MS)
  await store.update(id, { memberId: 7, epoch: 1, expiresAt: NOW + DAY_MS }, NOW)
  expect(await store.get(id, NOW)).toMatchObject({ epoch: 1 })
  await store.end(authSessionName(id))
  await store.update(id, { memberId: 7, epoch: 2, expiresAt: NOW + DAY_MS }, NOW)
  expect(await redis.exists(redisKey)).toBe(0)
})

it('an anonymous browser expires an hour after its last request', async () => {
  await store.set(id, { browserId: 'b' }, NOW)
  expect(await leftMs()).toBe(HOUR_MS)
  await redis.pexpire(redisKey, HOUR_MS / 2)
  expect(await store.get(id, NOW)).toEqual({ browserId: 'b' })
  expect(await leftMs()).toBe(HOUR_MS)
})
