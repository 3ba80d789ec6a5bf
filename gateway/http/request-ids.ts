import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import proxyAddr from 'proxy-addr'
import { causeOf, type Services } from '#gateway/services/services'
import type { Cause, Tracing } from '#runtime/monitoring/tracing'

export const REQUEST_ID_HEADER = 'X-Request-Id'

/** The id is written to logs, Redis and a header. */
const USABLE = /^[\w.-]{8,64}$/

/** Keeps the id of a trusted proxy; other clients could send the id of another request. */
export function requestIdReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return ({ headers, socket }) => {
    const sent = headers[REQUEST_ID_HEADER.toLowerCase()]
    if (typeof sent !== 'string' || !isTrusted(socket.remoteAddress ?? '', 0)) return randomUUID()
    return USABLE.test(sent) ? sent : randomUUID()
  }
}

export function requestIds(trustedProxies: string[]): Koa.Middleware {
  const idOf = requestIdReader(trustedProxies)
  return (ctx, next) => {
    const id = idOf(ctx.req)
    ctx.state.cause = { requestId: id } satisfies Cause
    ctx.set(REQUEST_ID_HEADER, id)
    return next()
  }
}

/** The pattern of the route, which holds no values; undefined for files and unknown paths. */
function routeOf(ctx: Koa.Context): string | undefined {
  const matched: unknown = ctx._matchedRoute
  return typeof matched === 'string' ? `${ctx.method} ${matched}` : undefined
}

export function tracedRequests(tracing: Tracing): Koa.Middleware {
  return (ctx, next) =>
    tracing.span('SERVER', ctx.method, causeOf(ctx), async (span) => {
      ctx.state.cause = span.cause
      await next()
      const route = routeOf(ctx)
      if (route) span.rename(route)
      span.set({ 'http.request.method': ctx.method, 'http.response.status_code': ctx.status })
      // Errors have become answers here.
      if (ctx.status >= 500) span.fail()
    })
}

export function timedRequests({ metrics, log }: Pick<Services, 'metrics' | 'log'>): Koa.Middleware {
  return async (ctx, next) => {
    const end = metrics.requestSeconds.startTimer()
    try {
      await next()
    } finally {
      const { status } = ctx
      const route = routeOf(ctx) ?? 'other'
      const seconds = end({ route, status })
      log.debug({ requestId: causeOf(ctx).requestId, route, status, seconds }, 'request answered')
    }
  }
}
