import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import { startEmbedded } from '#scripts/embedded/servers'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import { lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'
import { testFolder } from '#scripts/testing/temp-folder'
import { queuePrefix } from './queue.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** A workers process on this Redis. */
async function workersOn(redisUrl: string) {
  const role = roleProcess('workers', roleEnv({ ...database, databaseUrl: database.url, redisUrl }))
  onTestFinished(() => role.end('SIGKILL'))
  await role.ready
  return role
}

it('workers whose Redis takes no writes log it now and then, and go on when it does', async () => {
  const servers = await startEmbedded({
    dataDir: testFolder(),
    durable: false,
    wanted: { postgres: false, valkey: true },
  })
  onTestFinished(() => servers.stop())
  const redis = redisForRequests(servers.redisUrl)
  onTestFinished(() => redis.disconnect())
  const role = await workersOn(servers.redisUrl)
  const refusals = () => role.output().split('"worker error; it tries again"').length - 1
  const schedule = `${queuePrefix(database.redisPrefix)}:sweep-credits:repeat`
  const nextRun = async () => Number(await redis.zscore(schedule, 'sweep'))
  await expect.poll(nextRun).toBeGreaterThan(0)
  await redis.config('SET', 'min-replicas-to-write', '1')
  await expect.poll(refusals).toBeGreaterThan(0)
  await sleep(3_000)
  // One of each of the eleven queues in ten seconds; without a limit they are hundreds.
  expect(refusals()).toBeLessThanOrEqual(20)
  await redis.config('SET', 'min-replicas-to-write', '0')
  const restored = Date.now()
  await expect.poll(nextRun).toBeGreaterThan(restored + 3_000)
})

it('workers that are stopped while Redis is away end by themselves', async () => {
  const redis = await lossyRedis(database.redisUrl)
  const role = await workersOn(redis.url)
  await redis.close()
  await expect.poll(() => role.output()).toContain('connection to Redis lost')
  role.kill('SIGTERM')
  expect(await role.ended).toBe(0)
  expect(role.output()).toContain('queues not closed in time')
})
