import net from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { redisForRequests } from '#runtime/redis'
import { COMMAND_MS } from '#runtime/redis/connect-options'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'

let database: TestDatabase
let redis: ReturnType<typeof redisForRequests>
const lanes: { client: net.Socket; server: net.Socket }[] = []
let proxy: net.Server

/** Redis behind a proxy that can withhold every answer, as a frozen server does. */
beforeAll(async () => {
  database = await testDatabase()
  const url = new URL(database.redisUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  proxy = net.createServer((client) => {
    const server = net.connect(target)
    lanes.push({ client, server })
    client.pipe(server)
    server.pipe(client)
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  url.host = `127.0.0.1:${port}`
  redis = redisForRequests(url.href)
})
afterAll(async () => {
  redis.disconnect()
  for (const { client, server } of lanes) for (const socket of [client, server]) socket.destroy()
  proxy.close()
  await database.drop()
})

const freeze = () => lanes.map(({ client, server }) => server.unpipe(client))
const thaw = () => lanes.map(({ client, server }) => server.pipe(client))

it('the circuit breaker opens after one time-out, fails commands immediately, and closes on an answer', async () => {
  const key = `${database.redisPrefix}:fail-fast`
  await redis.set(key, 'before')
  freeze()
  await expect(redis.get(key)).rejects.toThrow('Command timed out')
  const since = performance.now()
  const count = 20
  for (let i = 0; i < count; i++) await expect(redis.get(key)).rejects.toThrow('Command timed out')
  expect(performance.now() - since).toBeLessThan((count * COMMAND_MS) / 2)
  thaw()
  await expect.poll(() => redis.get(key).catch(() => 'open')).toBe('before')
})
