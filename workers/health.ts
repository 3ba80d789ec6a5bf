import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '#db/process/config'
import { PROBES, type Probed } from '#db/process/probes'

/** `/healthz`, `/readyz` and `/metrics` of a workers process; none when `WORKERS_PORT` is 0. */
export async function startHealthServer(
  config: Config,
  probed: Probed,
): Promise<{ port: number; close(): Promise<void> }> {
  if (config.workersPort === 0) return { port: 0, close: async () => {} }
  const server = createServer(async (request, response) => {
    const probe = PROBES[request.url?.split('?')[0] ?? '']
    const notFound = { status: 404, type: 'application/json', body: '{"ok":false}' }
    const { status, type, body } = probe ? await probe(probed) : notFound
    response.writeHead(status, { 'Content-Type': type }).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.workersPort, config.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
