import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { redisForQueues, redisForRequests } from '#runtime/redis'
import { type TestDatabase, testConfig, testDatabase } from '#scripts/testing/db/database'
import { freshDatabase } from '#scripts/testing/db/fresh-database'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { SPEED } from '#trials/kit/checks'
import { startLoad } from '#trials/kit/load'
import { reportTime } from '#trials/kit/report'
import { dueSessions } from '#trials/kit/seed'
import { Stage } from '#trials/kit/stage'
import { repeating } from '#trials/kit/until'
import { type RedisServers, startRedisCluster, startSentinels } from '#trials/testing/redis-servers'
import { requestEverything } from '#trials/testing/request-everything'
import { queuePrefix } from '#workers/queue'

/** Within this time after the fault, every member is answered and credits are paid again. */
const BACK_MS = 15_000
const FAULTS = [
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
] as const

describe.each([
  ['Redis Cluster', startRedisCluster],
  ['Redis Sentinel', startSentinels],
] as const)('%s', (name, startServers) => {
  let database: TestDatabase
  let servers: RedisServers
  let stage: Stage

  beforeAll(async () => {
    database = await testDatabase()
    servers = await startServers()
    const place = { ...database, redisUrl: servers.url }
    const env = { JOB_LOCK_MS: '3000' }
    stage = await Stage.start(place, { workers: 2, speed: SPEED, env })
  })
  afterAll(async () => {
    await stage?.stop()
    await servers?.stop()
    await database?.drop()
  })

  it.each(FAULTS)(
    'a master that is %s under load is replaced, nothing is lost',
    async (fault, signal) => {
      const { product } = stage
      const watcher = await newMember(product)
      const load = await startLoad(product, 6, 5)
      await sleep(2_000)
      // The master that holds the queues; in a cluster it also holds a third of the sign-ins.
      const queues = queuePrefix(database.redisPrefix)
      const master = await servers.masterOf(queues)
      master.signal(signal)
      const since = Date.now()
      // Inserted after it: nobody credits them until the queues have another master.
      const { uncredited } = await dueSessions(product.db)
      const answers: Awaited<ReturnType<typeof requestEverything>> = []
      const stopRequests = repeating(async () => {
        answers.push(...(await requestEverything(watcher)))
      }, 1_000)
      const limit = () => ({ timeout: Math.max(1, since + BACK_MS - Date.now()), interval: 100 })
      for (const visitor of [watcher, ...load.visitors]) {
        for (const gateway of [0, 1]) {
          await expect.poll(() => statusOf(visitor, gateway), limit()).toBe(200)
        }
      }
      reportTime(`${name}, master ${fault}: every member is answered after`, Date.now() - since)
      await expect.poll(uncredited, limit()).toBe(0)
      reportTime(`${name}, master ${fault}: due intervals are credited after`, Date.now() - since)
      await expectPushes(watcher)
      reportTime(`${name}, master ${fault}: gateways push to each other after`, Date.now() - since)
      await stopRequests()
      expect(answers.filter(({ problem }) => problem)).toEqual([])
      reportTime(
        `${name}, master ${fault}: slowest answer`,
        Math.max(...answers.map(({ ms }) => ms)),
      )

      if (signal === 'SIGSTOP') master.signal('SIGCONT')
      else await master.start()
      await servers.settled()
      expect(await load.stop()).toEqual([])
      expect(await servers.masterOf(queues)).not.toBe(master)
      expect(await stage.unexpectedExits()).toEqual([])
    },
  )
})

async function statusOf(visitor: Visitor, gateway: number): Promise<number> {
  return (await visitor.call('GET /api/mining/status', { gateway })).status
}

/** Gateway 1 pushes commands of gateway 0 only if its subscription was restored. */
async function expectPushes(member: Visitor): Promise<void> {
  const socket = await member.connected(1)
  let pushes = 0
  socket.on('changed', () => pushes++)
  const press = async () => {
    await member.call('POST /api/mining/start', { gateway: 0 })
    await member.call('POST /api/mining/stop', { gateway: 0 })
    return pushes
  }
  await expect.poll(press, { timeout: BACK_MS, interval: 250 }).toBeGreaterThan(0)
  member.disconnect()
}

it('redis clear deletes the keys of every master of a cluster', async () => {
  const [fresh, servers] = [await freshDatabase(), await startRedisCluster()]
  const connection = redisForRequests(servers.url)
  try {
    // Enough that each of the three masters has some.
    const keys = Array.from({ length: 100 }, (_, n) => `${fresh.redisPrefix}:auth:${n}`)
    await Promise.all(keys.map((key) => connection.set(key, 'signed in')))
    const place = { db: fresh.db, config: testConfig({ ...fresh, redisUrl: servers.url }) }
    await operate(place, 'redis clear', [], { reason: 'restored a backup' })
    expect(await Promise.all(keys.map((key) => connection.exists(key)))).toEqual(keys.map(() => 0))
  } finally {
    connection.disconnect()
    await servers.stop()
    await fresh.close()
  }
})

/** Each of them may ask the frozen node first. */
const CONNECTIONS = 20

it('connections of queues become ready while a master of the cluster is frozen', async () => {
  const servers = await startRedisCluster()
  const master = await servers.masterOf('any key')
  master.signal('SIGSTOP')
  const connections = Array.from({ length: CONNECTIONS }, () => redisForQueues(servers.url))
  try {
    const ready = () => connections.filter(({ status }) => status === 'ready').length
    await expect.poll(ready, { timeout: 10_000 }).toBe(CONNECTIONS)
  } finally {
    for (const connection of connections) connection.disconnect()
    await servers.stop()
  }
})
