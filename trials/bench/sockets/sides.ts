import { Redis } from 'ioredis'
import { readConfig } from '#runtime/config/config'
import { freePort } from '#runtime/config/free-port'
import { ChangeChannel } from '#runtime/pubsub'
import { ORIGIN, productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import { startBareServer } from './bare-server.ts'

/** A server that holds the sockets: the product or the limit that it is compared with. */
export type Side = {
  port: number
  pid: number
  origin: string
  /** Makes it send one event to each of these members, or to all of its sockets. */
  sendToAll(memberIds: number[]): void
  stop(): Promise<void>
}

/** A gateway process in production. */
export async function startProduct(servers: BenchServers): Promise<Side> {
  const port = await freePort()
  const env = productEnv(servers, { PORT: String(port) })
  const gateway = await startRole('gateway', env)
  const redis = new Redis(servers.redisUrl)
  const changes = new ChangeChannel(redis, readConfig(env).redisPrefix, console)
  return {
    port,
    pid: gateway.pid,
    origin: ORIGIN,
    // As a workers process announces a batch of credits.
    sendToAll: (memberIds) => void changes.publishMembers(memberIds, ['mining', 'wallet']),
    async stop() {
      redis.disconnect()
      await gateway.stop()
    },
  }
}

/** A bare Socket.IO server that emits the same bytes. */
export async function startBare(payload: unknown): Promise<Side> {
  const { port, pid, emitToAll, stop } = await startBareServer()
  return {
    port,
    pid,
    origin: ORIGIN,
    sendToAll: () => emitToAll({ event: 'changed', payload }),
    stop,
  }
}
