import type Koa from 'koa'
import type { Tracing } from '#runtime/monitoring/tracing'

/** Records each request as a span under the name of its route; status 5xx counts as failed. */
export function tracedRequests(tracing: Tracing): Koa.Middleware {
  return (ctx, next) =>
    tracing.span('server', ctx.method, async (span) => {
      await next()
      const matched: unknown = ctx._matchedRoute
      if (typeof matched === 'string') span.rename(`${ctx.method} ${matched}`)
      span.set({ 'http.request.method': ctx.method, 'http.response.status_code': ctx.status })
    })
}
