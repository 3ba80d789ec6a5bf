import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'
import { jobQueue } from './queue.ts'

let database: TestDatabase
let proxy: LossyRedis
let redis: RedisClient

beforeAll(async () => {
  database = await testDatabase()
  proxy = await lossyRedis(database.redisUrl)
  redis = redisForRequests(proxy.url)
  await redis.ping()
})
afterAll(async () => {
  redis?.disconnect()
  await proxy?.close()
  await database?.drop()
})

it('a queue that was opened while Redis was frozen takes jobs afterwards', async () => {
  proxy.freeze()
  const queue = await jobQueue('send-mail', redis, database.redisPrefix)
  const add = () => queue.add('send-mail', { mailId: 1 })
  await expect(add()).rejects.toThrow('Command timed out')
  proxy.thaw()
  const isAdded = () =>
    add().then(
      () => true,
      () => false,
    )
  await expect.poll(isAdded).toBe(true)
  await queue.close()
})
