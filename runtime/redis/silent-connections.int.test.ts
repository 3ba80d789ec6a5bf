import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForQueues, redisForSubscribing } from '#runtime/redis'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.drop())

it.concurrent('the connection of a queue that stays silent is replaced, and its commands are answered', async () => {
  const proxy = await lossyRedis(database.redisUrl)
  const queue = redisForQueues(proxy.url)
  try {
    const key = `${database.redisPrefix}:silent`
    await queue.set(key, 'before')
    proxy.silence()
    let answer: string | null | undefined
    queue.get(key).then(
      (value) => {
        answer = value
      },
      () => {},
    )
    await expect.poll(() => answer, { timeout: 40_000 }).toBe('before')
  } finally {
    queue.disconnect()
    await proxy.close()
  }
})

it.concurrent('a queue whose read blocks for 10 s and an idle subscription keep their connections', async () => {
  const queue = redisForQueues(database.redisUrl)
  const subscriber = redisForSubscribing(database.redisUrl)
  let closed = 0
  try {
    for (const redis of [queue, subscriber]) redis.on('close', () => closed++)
    await subscriber.subscribe(`${database.redisPrefix}:idle`)
    const block = () => queue.bzpopmin(`${database.redisPrefix}:no-jobs`, 10)
    expect([await block(), await block()]).toEqual([null, null])
    await sleep(100)
    expect(closed).toBe(0)
  } finally {
    queue.disconnect()
    subscriber.disconnect()
  }
})
