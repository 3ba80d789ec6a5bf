import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { redisForRequests } from '#db/process/redis'
import { testDatabase } from '#db/testing/database'
import { DAY_MS, HOUR_MS, IDLE_SIGN_IN_MS, MINUTE_MS } from '#rules/constants'
import { AuthSessionStore, authSessionName, newAuthSessionId } from './auth-session-store.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let redis: ReturnType<typeof redisForRequests>
let store: AuthSessionStore
let id: string
let key: string

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
  key = `${database.redisPrefix}:auth:${authSessionName(id)}`
})

const signIn = (lifeMs: number, remembered = false) =>
  store.set(id, { memberId: 7, epoch: 0, expiresAt: Date.now() + lifeMs, remembered })
/** The time that the sign-in has left when nothing is asked, to the minute. */
const leftMs = async () => Math.ceil((await redis.pttl(key)) / MINUTE_MS) * MINUTE_MS

describe('a sign-in', () => {
  it('ends after twelve hours without a request, and each request starts them anew', async () => {
    await signIn(DAY_MS)
    expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
    await redis.pexpire(key, HOUR_MS)
    expect(await store.get(id)).toMatchObject({ memberId: 7 })
    expect(await leftMs()).toBe(IDLE_SIGN_IN_MS)
  })

  it('ends when it is as old as it may be, however busy', async () => {
    await signIn(2 * HOUR_MS)
    await redis.pexpire(key, HOUR_MS)
    await store.get(id)
    expect(await leftMs()).toBe(2 * HOUR_MS)
    await signIn(-1)
    expect(await store.get(id)).toBeUndefined()
  })

  it('that is remembered ends by its age alone', async () => {
    await signIn(30 * DAY_MS, true)
    expect(await leftMs()).toBe(30 * DAY_MS)
  })

  it('is not brought back by a request that was on its way when it ended', async () => {
    await signIn(DAY_MS)
    await redis.pexpire(key, HOUR_MS)
    const reads = Array.from({ length: 30 }, () => store.get(id))
    await Promise.all([store.destroy(id), ...reads])
    expect(await redis.exists(key)).toBe(0)
  })
})

it('an anonymous browser is forgotten after a day', async () => {
  await store.set(id, { browserId: 'b' })
  await redis.pexpire(key, HOUR_MS)
  await store.get(id)
  expect(await leftMs()).toBe(HOUR_MS)
})
