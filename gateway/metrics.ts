import type Koa from 'koa'
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

/** Makes a metric once a process, also where several gateways share one. */
function once<T>(name: string, make: () => T): T {
  return (register.getSingleMetric(name) as T | undefined) ?? make()
}

const requestSeconds = once(
  'http_request_seconds',
  () =>
    new Histogram({
      name: 'http_request_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    }),
)

/** Open sockets of this process. */
export const socketsOpen = once(
  'sockets_open',
  () => new Gauge({ name: 'sockets_open', help: 'Open sockets of this process' }),
)

/** Memory, event loop and the like, once a process. */
export function startDefaultMetrics(): void {
  once('process_cpu_user_seconds_total', () => collectDefaultMetrics())
}

/** Times each call of the API under the name of its route. */
export const timedRequests: Koa.Middleware = async (ctx, next) => {
  const end = requestSeconds.startTimer()
  try {
    await next()
  } finally {
    const route = (ctx as { _matchedRoute?: unknown })._matchedRoute
    if (typeof route === 'string') end({ route: `${ctx.method} ${route}`, status: ctx.status })
  }
}
