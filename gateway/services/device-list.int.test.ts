import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#rules/constants'
import { redisForRequests } from '#runtime/redis'
import { testDatabase } from '#scripts/testing/db/database'
import { AuthSessionStore, authSessionName, newAuthSessionId } from './auth-session-store.ts'
import { DeviceList, MAX_SIGN_INS } from './device-list.ts'

const NOW = Date.UTC(2026, 0, 1)
let database: Awaited<ReturnType<typeof testDatabase>>
let redis: ReturnType<typeof redisForRequests>
let store: AuthSessionStore
let list: DeviceList
let memberId = 0

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
  memberId += 1
  list = new DeviceList(redis, database.redisPrefix, store)
})

const place = () => ({ device: 'Firefox on Linux', network: '203.0.x.x' })
/** Signs the member in; returns the cookie value. */
async function signIn(now = NOW, epoch = 0): Promise<string> {
  const id = newAuthSessionId()
  await store.set(id, { memberId, epoch, signedInAt: now, expiresAt: now + DAY_MS }, now)
  await list.record(memberId, authSessionName(id), now, place)
  return id
}
const names = async (epoch = 0) =>
  (await list.read(memberId, epoch, NOW)).map((listed) => listed.name)

it('a request is recorded at most once in five minutes', async () => {
  const name = authSessionName(await signIn())
  let writes = 0
  const counted = () => {
    writes += 1
    return place()
  }
  await list.record(memberId, name, NOW + MINUTE_MS, counted)
  expect(writes).toBe(0)
  await list.record(memberId, name, NOW + 5 * MINUTE_MS, counted)
  expect(writes).toBe(1)
  expect(await list.read(memberId, 0, NOW)).toEqual([
    { ...place(), name, signedInAt: NOW, at: NOW + 5 * MINUTE_MS },
  ])
})

it('a request that Redis did not record is recorded by the next one', async () => {
  const name = authSessionName(newAuthSessionId())
  const multi = vi.spyOn(redis, 'multi').mockImplementationOnce(() => {
    throw new Error('Command timed out')
  })
  await expect(list.record(memberId, name, NOW, place)).rejects.toThrow('timed out')
  multi.mockRestore()
  let writes = 0
  await list.record(memberId, name, NOW + 1, () => {
    writes += 1
    return place()
  })
  expect(writes).toBe(1)
})

it('a sign-in without an entry is listed after its next request', async () => {
  const id = await signIn()
  await redis.del(`${database.redisPrefix}:sign-ins:${memberId}`)
  expect(await names()).toEqual([])
  const otherGateway = new DeviceList(redis, database.redisPrefix, store)
  await otherGateway.record(memberId, authSessionName(id), NOW, place)
  expect(await names()).toEqual([authSessionName(id)])
})

it('an ended sign-in is not listed, even if a late request records it', async () => {
  const [ended, kept] = [await signIn(), await signIn()]
  await store.end(authSessionName(ended))
  expect(await names()).toEqual([authSessionName(kept)])
  const otherGateway = new DeviceList(redis, database.redisPrefix, store)
  await otherGateway.record(memberId, authSessionName(ended), NOW, place)
  expect(await names()).toEqual([authSessionName(kept)])
})

it('a sign-in of an earlier epoch is not listed', async () => {
  await signIn()
  const name = authSessionName(await signIn(NOW, 1))
  expect(await names(1)).toEqual([name])
})

it('sign-ins of epochs before the last one are ended, and of nobody else', async () => {
  const [first, second] = [await signIn(), await signIn(NOW, 1)]
  const others = newAuthSessionId()
  await store.set(others, { memberId: memberId + 1000, epoch: 0 }, NOW)
  await list.record(memberId, authSessionName(others), NOW, place)
  expect(await names(1)).toEqual([authSessionName(second)])
  // The one that ended the others may be about to be renewed.
  expect(await store.get(first, NOW)).toBeDefined()
  expect(await names(2)).toEqual([])
  expect(await store.get(first, NOW)).toBeUndefined()
  expect(await store.get(second, NOW)).toBeDefined()
  expect(await names(3)).toEqual([])
  expect(await store.get(second, NOW)).toBeUndefined()
  expect(await store.get(others, NOW)).toBeDefined()
})

it("a member's sign-in cannot be ended for another member", async () => {
  const id = await signIn()
  expect(await list.end(memberId + 1000, authSessionName(id), NOW)).toBe(false)
  expect(await store.get(id, NOW)).toMatchObject({ memberId })
})

it('a sign-in beyond the limit ends the oldest that has not ended', async () => {
  const [oldest, second] = [await signIn(NOW - 2), await signIn(NOW - 1)]
  for (let i = 2; i < MAX_SIGN_INS; i++) await signIn(NOW + i)
  await list.limit(memberId, 0, NOW)
  expect(await store.get(oldest, NOW)).toBeDefined()
  await store.end(authSessionName(second))
  await signIn(NOW + MAX_SIGN_INS)
  await list.limit(memberId, 0, NOW)
  expect(await store.get(oldest, NOW)).toBeDefined()
  await signIn(NOW + MAX_SIGN_INS + 1)
  await list.limit(memberId, 0, NOW)
  expect(await store.get(oldest, NOW)).toBeUndefined()
  expect(await names()).toHaveLength(MAX_SIGN_INS)
})

it('what had no request for 30 days is forgotten at the next sign-in', async () => {
  const old = await signIn(NOW - 31 * DAY_MS)
  await signIn()
  await list.limit(memberId, 0, NOW)
  const held = await redis.hkeys(`${database.redisPrefix}:sign-ins:${memberId}`)
  expect(held).toHaveLength(1)
  expect(held).not.toContain(authSessionName(old))
})

it('of the sign-ins of a deleted member only the reason of their end is left', async () => {
  const name = authSessionName(await signIn())
  await list.forget(memberId)
  const mark = `${database.redisPrefix}:auth-ended:${name}`
  expect(await redis.keys(`${database.redisPrefix}:*${name}`)).toEqual([mark])
  expect(await redis.get(mark)).toBe('account-deleted')
  expect(await redis.exists(`${database.redisPrefix}:sign-ins:${memberId}`)).toBe(0)
})
