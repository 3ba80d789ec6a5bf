import path from 'node:path'
import type { Registry } from 'prom-client'
import { connect } from '#db/postgres/connect'
import { ChangeChannel } from '#db/process/change-channel'
import type { Config } from '#db/process/config'
import { createLog } from '#db/process/log'
import { createRegistry } from '#db/process/metrics'
import { redisForRequests, redisForWaiting } from '#db/process/redis'
import { mailJobs } from '#queue'
import { createApp } from './app.ts'
import { httpServer, listen } from './http/http-server.ts'
import { unchangedPolls } from './http/unchanged-polls.ts'
import { createLive } from './live/live.ts'
import { gatewayMetrics } from './metrics.ts'
import { followChanges } from './polls/change-follower.ts'
import { PollCache } from './polls/poll-cache.ts'
import { allowsOrigin } from './security/origins.ts'
import { AuthSessionStore } from './services/auth-session-store.ts'
import { KeyedMutex } from './services/keyed-mutex.ts'
import { RateLimits } from './services/rate-limits.ts'
import { Semaphore } from './services/semaphore.ts'
import type { Services } from './services/services.ts'
import { SignInList } from './services/sign-in-list.ts'
import { snapshotLoader } from './services/snapshot-loader.ts'

/** A running gateway. */
export type Gateway = { url: string; port: number; close(): Promise<void> }

/** Graceful shutdown: time that open requests have to finish. */
const DRAIN_MS = 8_000
/** The roles run in the root of the repository or image. */
const BUILT_CLIENT = path.resolve('dist/client')

function openServices(config: Config, registry: Registry): Services {
  const redis = redisForRequests(config.redisUrl)
  const log = createLog('gateway', config.logLevel)
  const db = connect(config.databaseUrl, {
    max: config.databasePool,
    name: 'tesp-gateway',
    preparedStatements: config.databasePrepared,
  })
  const polls = new PollCache(config.pollCacheMembers)
  const authSessions = new AuthSessionStore(redis, config.redisPrefix)
  return {
    config,
    db,
    snapshots: snapshotLoader(db),
    polls,
    redis,
    changes: new ChangeChannel(redis, config.redisPrefix, log, polls.onChange),
    mailJobs: mailJobs(redis, config.redisPrefix),
    authSessions,
    signIns: new SignInList(redis, config.redisPrefix, authSessions),
    limits: new RateLimits(redis, config),
    memberMutex: new KeyedMutex(),
    exportSemaphore: new Semaphore(1),
    metrics: gatewayMetrics(registry),
    log,
  }
}

export type GatewayOptions = {
  /** Folder of the built client. */
  clientRoot?: string
  /** Shared with the workers when both run in one process. */
  registry?: Registry
}

/** Starts a gateway: REST, sockets and the client's files. Any number may share a database and Redis. */
export async function startGateway(
  config: Config,
  { clientRoot = BUILT_CLIENT, registry = createRegistry() }: GatewayOptions = {},
): Promise<Gateway> {
  const services = openServices(config, registry)
  const allows = allowsOrigin(config)
  const app = createApp(services, allows, clientRoot)
  const server = httpServer(unchangedPolls(services, app.callback()), config)
  const live = createLive(server, services, allows)
  const subscriber = redisForWaiting(config.redisUrl)
  let wasConnected = false
  subscriber.on('ready', () => {
    // Changes published while this connection was down are lost: every client refetches.
    if (wasConnected) live.refetchAll()
    wasConnected = true
  })
  await new ChangeChannel(subscriber, config.redisPrefix, services.log).subscribe((change) => {
    services.polls.onChange(change)
    live.onChange(change)
  })
  const follower = followChanges(services)
  const port = await listen(server, config.port, config.host)
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host
  services.log.info({ port }, 'gateway is ready')
  return {
    port,
    url: `http://${host}:${port}`,
    async close() {
      // Closing Socket.IO also closes the HTTP server, which waits for open requests.
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await live.close()
      clearTimeout(deadline)
      subscriber.disconnect()
      await follower.close()
      await services.mailJobs.close()
      services.redis.disconnect()
      await services.db.destroy()
    },
  }
}
