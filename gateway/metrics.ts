import type Koa from 'koa'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** What a gateway measures. */
export type GatewayMetrics = {
  registry: Registry
  /** Time from a request to its answer, seconds, by route and status. */
  requestSeconds: Histogram<'route' | 'status'>
  /** Answered polls of status and wallet; those decided by memory are unchanged (304). */
  polls: Counter<'decided_by'>
  /** Counts the open sockets of this process when metrics are read. */
  countSockets(count: () => number): void
}

/** Registers a gateway's metrics, and those of its Node process (memory, event loop). */
export function gatewayMetrics(registry: Registry): GatewayMetrics {
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  let countSockets = () => 0
  new Gauge({
    name: 'sockets_open',
    help: 'Open sockets of this process',
    registers,
    collect() {
      this.set(countSockets())
    },
  })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'http_request_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    polls: new Counter({
      name: 'polls_total',
      help: 'Answered polls of status and wallet, by what decided them: memory or postgres',
      labelNames: ['decided_by'],
      registers,
    }),
    countSockets(count) {
      countSockets = count
    },
  }
}

/** Times each call of the API under the name of its route. */
export function timedRequests({ requestSeconds }: GatewayMetrics): Koa.Middleware {
  return async (ctx, next) => {
    const end = requestSeconds.startTimer()
    try {
      await next()
    } finally {
      const route = (ctx as { _matchedRoute?: unknown })._matchedRoute
      if (typeof route === 'string') end({ route: `${ctx.method} ${route}`, status: ctx.status })
    }
  }
}
