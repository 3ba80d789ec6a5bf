import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Redis } from 'ioredis'
import { register } from 'prom-client'
import type { Db } from '#db/postgres/transaction'
import type { Config } from '#db/process/config'
import { isReady } from '#db/process/readiness'

/** `/healthz`, `/readyz` and `/metrics` of a workers process, where `WORKERS_PORT` is set. */
export async function startHealthServer(
  config: Config,
  db: Db,
  redis: Redis,
): Promise<{ port: number; close(): Promise<void> }> {
  if (config.workersPort === 0) return { port: 0, close: async () => {} }
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/metrics') {
      response.setHeader('Content-Type', register.contentType)
      response.end(await register.metrics())
      return
    }
    const known = path === '/healthz' || path === '/readyz'
    const fine = path === '/readyz' ? await isReady(db, redis) : known
    response.statusCode = fine ? 200 : known ? 503 : 404
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ ok: fine }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.workersPort, config.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
