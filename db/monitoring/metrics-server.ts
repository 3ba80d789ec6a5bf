import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { metricsAnswer, PROBES, type ProbeAnswer, type Probed } from '#db/monitoring/probes'

/** A server for operators and their tools, apart from what members reach. */
export type OperatorsServer = { port: number; close(): Promise<void> }

export type OperatorsServerOptions = {
  host: string
  /** 0 for no server. */
  port: number
  probed: Probed
  registry: Registry
  log: Pick<Logger, 'error'>
  /** Further pages, by the first part of their path: `/queues` serves `/queues/…` too. */
  pages?: Record<string, RequestListener>
}

const NOT_FOUND: ProbeAnswer = { status: 404, type: 'application/json', body: '{"ok":false}' }

/** Answers `/healthz`, `/readyz`, `/metrics` and the pages. */
function listener({ probed, registry, log, pages = {} }: OperatorsServerOptions): RequestListener {
  const answerTo = async (path: string): Promise<ProbeAnswer> =>
    path === '/metrics' ? metricsAnswer(registry) : (PROBES[path]?.(probed) ?? NOT_FOUND)
  return async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const page = pages[path.replace(/(?<=.)\/.*/, '')]
    try {
      if (page) return await page(request, response)
      const { status, type, body } = await answerTo(path)
      response.writeHead(status, { 'Content-Type': type }).end(body)
    } catch (err) {
      log.error({ err, path }, 'request of an operator failed')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }
}

/** Serves probes, metrics and pages of a process on a port of their own. */
export async function startOperatorsServer(
  options: OperatorsServerOptions,
): Promise<OperatorsServer> {
  const { host, port } = options
  if (port === 0) return { port: 0, close: async () => {} }
  const server = createServer(listener(options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
