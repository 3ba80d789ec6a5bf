import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import { testDatabase } from '#scripts/testing/db/database'
import {
  AuthSessionStore,
  authSessionName,
  newAuthSessionId,
  sessionBatchLoader,
} from './auth-session-store.ts'

const MEMBERS = 400
let database: Awaited<ReturnType<typeof testDatabase>>
let redis: ReturnType<typeof redisForRequests>
let store: AuthSessionStore
let ids: string[]
/** Names of each command that was sent. */
const commands: number[] = []

beforeAll(async () => {
  database = await testDatabase()
  redis = redisForRequests(database.redisUrl)
  store = new AuthSessionStore(redis, database.redisPrefix)
  ids = Array.from({ length: MEMBERS }, newAuthSessionId)
  await Promise.all(ids.map((id, memberId) => store.set(id, { memberId, epoch: 0 }, Date.now())))
})
afterAll(async () => {
  redis.disconnect()
  await database.drop()
})

const counted = () =>
  sessionBatchLoader({
    find(names, now) {
      commands.push(names.length)
      return store.find(names, now)
    },
  })

it('sign-ins that are asked for in one turn are read by few commands, each with its member', async () => {
  commands.length = 0
  const read = counted()
  const found = await Promise.all(ids.map((id) => read(authSessionName(id))))
  expect(found.map((data) => data?.memberId)).toEqual(ids.map((_, memberId) => memberId))
  expect(commands).toEqual([256, MEMBERS - 256])
})

it('a sign-in that was ended is not found by the next read', async () => {
  const read = counted()
  const [id = ''] = ids
  expect(await read(authSessionName(id))).toMatchObject({ memberId: 0 })
  await store.end(authSessionName(id))
  expect(await read(authSessionName(id))).toBeUndefined()
})

it('what one sign-in of a command cannot be read for fails no other', async () => {
  const [lost = '', found = ''] = ids.slice(1, 3).map(authSessionName)
  const read = sessionBatchLoader({
    find: (names, now) =>
      names.includes(lost) ? Promise.reject(new Error('lost')) : store.find(names, now),
  })
  const [first, second] = await Promise.allSettled([read(lost), read(found)])
  expect(first.status).toBe('rejected')
  expect(second).toMatchObject({ status: 'fulfilled', value: { memberId: 2 } })
})

it('a failed command rejects its own reads and not the following ones', async () => {
  let fails = true
  const read = sessionBatchLoader({
    find: (names, now) => (fails ? Promise.reject(new Error('lost')) : store.find(names, now)),
  })
  const name = authSessionName(ids[1] ?? '')
  await expect(Promise.all([read(name), read(name)])).rejects.toThrow('lost')
  fails = false
  expect(await read(name)).toMatchObject({ memberId: 1 })
})
