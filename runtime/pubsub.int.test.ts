import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { createLog } from './log.ts'
import { type Change, ChangeChannel } from './pubsub.ts'

let database: TestDatabase
const connections: Redis[] = []
const lines: string[] = []
const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  for (const redis of connections) redis.disconnect()
  await database.drop()
})

function channel(prefix = database.redisPrefix, url = database.redisUrl): ChangeChannel {
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  connections.push(redis)
  return new ChangeChannel(redis, prefix, log)
}

it('changes reach every subscriber of the prefix and no other', async () => {
  const received: Change[][] = [[], [], []]
  const prefixes = [database.redisPrefix, database.redisPrefix, `${database.redisPrefix}-other`]
  for (const [i, prefix] of prefixes.entries()) {
    await channel(prefix).subscribe((change) => received[i]?.push(change))
  }
  const change = { kind: 'signed-out', reason: 'logout', signInName: 'a' } as const
  await channel().publish(change)
  await expect.poll(() => received).toEqual([[change], [change], []])
})

it('a change arrives with the request id of its publisher and the time of its publication', async () => {
  const received: unknown[] = []
  await channel().subscribe((_, origin) => received.push(origin))
  const before = Date.now()
  await channel().causedBy({ requestId: 'press-0001' }).publishMembers([1], ['mining'])
  await expect.poll(() => received).toHaveLength(1)
  expect(received).toEqual([{ requestId: 'press-0001', sentAt: expect.any(Number) }])
  expect((received[0] as { sentAt: number }).sentAt).toBeGreaterThanOrEqual(before)
})

it('a change of a process of the version before, without an origin, is delivered', async () => {
  const received: Change[] = []
  await channel().subscribe((change) => received.push(change))
  const change = { kind: 'members', memberIds: [1], topics: ['wallet'] } as const
  const redis = new Redis(database.redisUrl)
  connections.push(redis)
  await redis.publish(`${database.redisPrefix}:changes`, JSON.stringify(change))
  await expect.poll(() => received).toEqual([change])
})

it('members are published in messages of at most 5,000 ids', async () => {
  const sizes: number[] = []
  await channel().subscribe((change) => {
    if (change.kind === 'members') sizes.push(change.memberIds.length)
  })
  await channel().publishMembers(
    Array.from({ length: 12_000 }, (_, id) => id),
    ['mining'],
  )
  await expect.poll(() => sizes).toEqual([5_000, 5_000, 2_000])
})

it('a failed publish is logged and does not reject', async () => {
  await channel(undefined, 'redis://127.0.0.1:1').publishMembers([1], ['mining'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'members', msg: 'change not published; the next poll or check makes up for it' },
  ])
})
