import path from 'node:path'
import type { Registry } from 'prom-client'
import { startMetricsServer } from '#db/metrics-server'
import type { Config } from '#runtime/config/config'
import { logConnection } from '#runtime/log'
import { createRegistry } from '#runtime/monitoring/registry'
import { startTracing } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForSubscribing } from '#runtime/redis'
import { listProcess } from '#runtime/redis/process-list'
import { createApp } from './app.ts'
import { httpServer, limitBodies, listen, stopListening } from './http/http-server.ts'
import { createLive } from './live/live.ts'
import { followPollLog } from './not-modified/follow-poll-log.ts'
import { PollCache } from './not-modified/poll-cache.ts'
import { polledReads } from './not-modified/polled-reads.ts'
import { allowsOrigin } from './security/origins.ts'
import { openServices } from './services/services.ts'

export type Gateway = { url: string; port: number; close(): Promise<void> }

/** Graceful shutdown: time that open requests have to finish. */
const DRAIN_MS = 8_000
/** The roles run in the root of the repository or image. */
const BUILT_CLIENT = path.resolve('dist/client')

type GatewayOptions = {
  clientRoot?: string
  /** Shared with the workers when both run in one process. */
  registry?: Registry
}

/** REST, sockets and the client's files. Any number of gateways may share a database and Redis. */
export async function startGateway(
  config: Config,
  { clientRoot = BUILT_CLIENT, registry = createRegistry() }: GatewayOptions = {},
): Promise<Gateway> {
  const tracing = await startTracing('gateway', config.otlpEndpoint)
  const subscriber = redisForSubscribing(config.redisUrl)
  const polls = new PollCache(config.pollCacheMembers)
  const services = openServices(config, { registry, subscriber, tracing, polls })
  logConnection(subscriber, 'changes', services.log)
  const allows = allowsOrigin(config)
  const app = createApp(services, allows, clientRoot)
  const server = httpServer(polledReads(services, app.callback()), config)
  const live = createLive(server, services, allows)
  limitBodies(server, config.requestTimeoutMs)
  let wasConnected = false
  subscriber.on('ready', () => {
    // Changes published while this connection was down are lost: every client refetches.
    if (wasConnected) live.refetchAll()
    wasConnected = true
  })
  await new ChangeChannel(subscriber, config.redisPrefix, services.log).subscribe(
    (change, origin) => {
      services.polls.onChange(change)
      live.onChange(change, origin)
    },
  )
  const follower = followPollLog(services, live.announce)
  const port = await listen(server, config.port, config.host)
  const { db, redis } = services
  const metricsServer = await startMetricsServer({
    host: config.host,
    port: config.metricsPort,
    probed: { db, redis },
    registry,
    log: services.log,
  })
  const listed = listProcess(redis, config.redisPrefix, 'gateway')
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host
  services.log.info({ port }, 'gateway is ready')
  return {
    port,
    url: `http://${host}:${port}`,
    async close() {
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await stopListening(server)
      // Socket.IO waits for the server, and so for open requests.
      await live.close()
      clearTimeout(deadline)
      await metricsServer.close()
      await tracing.close()
      await listed.stop()
      subscriber.disconnect()
      await follower.close()
      services.redis.disconnect()
      await services.db.destroy()
      await services.replica?.destroy()
    },
  }
}
