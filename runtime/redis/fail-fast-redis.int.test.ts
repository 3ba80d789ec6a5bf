import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import { COMMAND_MS } from '#runtime/redis/connect-options'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'

let database: TestDatabase
let proxy: LossyRedis
let redis: ReturnType<typeof redisForRequests>

beforeAll(async () => {
  database = await testDatabase()
  proxy = await lossyRedis(database.redisUrl)
  redis = redisForRequests(proxy.url)
})
afterAll(async () => {
  redis?.disconnect()
  await proxy?.close()
  await database?.drop()
})

it('the circuit breaker opens after one time-out, fails commands immediately, and closes on an answer', async () => {
  const key = `${database.redisPrefix}:fail-fast`
  await redis.set(key, 'before')
  proxy.freeze()
  await expect(redis.get(key)).rejects.toThrow('Command timed out')
  const since = performance.now()
  const count = 20
  for (let i = 0; i < count; i++) await expect(redis.get(key)).rejects.toThrow('Command timed out')
  expect(performance.now() - since).toBeLessThan((count * COMMAND_MS) / 2)
  proxy.thaw()
  await expect.poll(() => redis.get(key).catch(() => 'open')).toBe('before')
})

it('a connection that stays silent is replaced, which closes the circuit breaker', async () => {
  const key = `${database.redisPrefix}:replaced`
  const silenced = await lossyRedis(database.redisUrl)
  const connection = redisForRequests(silenced.url)
  try {
    await connection.set(key, 'before')
    silenced.silence()
    await expect(connection.get(key)).rejects.toThrow('Command timed out')
    const answer = () => connection.get(key).catch(() => 'open')
    await expect.poll(answer, { timeout: 20_000 }).toBe('before')
  } finally {
    connection.disconnect()
    await silenced.close()
  }
})
