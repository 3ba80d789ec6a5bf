import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { redisForRequests, redisForSubscribing } from '#runtime/redis'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'
import type { RedisClient } from './redis-client.ts'

let database: TestDatabase
/** For subscribers, proxies before the one server are the nodes of a cluster. */
let nodes: LossyRedis[]
let subscriber: Redis
let publishing: RedisClient
const received = new Set<string>()
let readyEvents = 0

const nodeInUse = () => nodes.find(({ sockets }) => sockets.size > 0)

beforeAll(async () => {
  database = await testDatabase()
  const server = new URL(database.redisUrl)
  nodes = await Promise.all([lossyRedis(server.href), lossyRedis(server.href)])
  // The third one is down.
  const ports = [...nodes.map(({ port }) => port), await freePort()]
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const login = server.password ? `${server.username}:${server.password}@` : ''
  subscriber = redisForSubscribing(`redis+cluster://${login}${hosts}`)
  subscriber.on('ready', () => readyEvents++)
  subscriber.on('message', (_channel, text) => received.add(text))
  publishing = redisForRequests(database.redisUrl)
  await subscriber.subscribe(`${database.redisPrefix}:news`)
})
afterAll(async () => {
  subscriber?.disconnect()
  publishing?.disconnect()
  for (const node of nodes ?? []) await node.close()
  await database?.drop()
})

/** Published again and again, because a message to a lost subscription is lost. */
async function arrives(text: string): Promise<void> {
  const publish = async () => {
    await publishing.publish(`${database.redisPrefix}:news`, text)
    return received.has(text)
  }
  await expect.poll(publish, { timeout: 30_000 }).toBe(true)
}

it('a subscription to a cluster moves to another node when its connection is cut', async () => {
  await arrives('first')
  const before = nodeInUse()
  before?.cut()
  await arrives('after the cut')
  expect(nodeInUse()).not.toBe(before)
  expect(readyEvents).toBeGreaterThanOrEqual(2)
})

it('a subscription to a cluster leaves a node that gives no sign of life', async () => {
  await arrives('still there')
  const before = nodeInUse()
  before?.silence()
  await arrives('after the silence')
  expect(nodeInUse()).not.toBe(before)
  expect(readyEvents).toBeGreaterThanOrEqual(3)
})
