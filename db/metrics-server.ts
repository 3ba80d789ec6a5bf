import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { isMigrated } from '#db/migrations/schema-floor'
import type { Db } from '#db/postgres/statements/transaction'
import type { RedisClient } from '#runtime/redis/redis-client'

type Probed = { db: Db; redis: RedisClient }

type ProbeAnswer = { status: number; type: string; body: string }

async function isReady({ db, redis }: Probed): Promise<boolean> {
  try {
    const [migrated, pong] = await Promise.all([isMigrated(db), redis.ping()])
    return migrated && pong === 'PONG'
  } catch {
    return false
  }
}

function answer(ok: boolean): ProbeAnswer {
  return { status: ok ? 200 : 503, type: 'application/json', body: JSON.stringify({ ok }) }
}

/** The probes of every role: alive, and ready if database, schema and Redis answer (503 otherwise). */
export const PROBES: Record<string, (probed: Probed) => Promise<ProbeAnswer>> = {
  '/healthz': async () => answer(true),
  '/readyz': async (probed) => answer(await isReady(probed)),
}

type MetricsServer = { port: number; close(): Promise<void> }

type MetricsServerOptions = {
  host: string
  /** 0 for no server. */
  port: number
  probed: Probed
  registry: Registry
  log: Pick<Logger, 'error'>
}

const NOT_FOUND: ProbeAnswer = { status: 404, type: 'application/json', body: '{"ok":false}' }

function listener({ probed, registry, log }: MetricsServerOptions): RequestListener {
  const answerTo = async (path: string): Promise<ProbeAnswer> => {
    if (path !== '/metrics') return PROBES[path]?.(probed) ?? NOT_FOUND
    return { status: 200, type: registry.contentType, body: await registry.metrics() }
  }
  return async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    try {
      const { status, type, body } = await answerTo(path)
      response.writeHead(status, { 'Content-Type': type }).end(body)
    } catch (err) {
      log.error({ err, path }, 'metrics request failed')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }
}

/** Serves probes and metrics of a process on a separate port. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port } = options
  if (port === 0) return { port: 0, close: async () => {} }
  const server = createServer(listener(options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // A probe that opened a connection and sends nothing would hold the end of the process.
        server.closeAllConnections()
      }),
  }
}
