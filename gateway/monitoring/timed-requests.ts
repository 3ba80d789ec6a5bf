import type Koa from 'koa'
import type { Services } from '#gateway/services/services'

/** The pattern of the route, which holds no values; one name for files and unknown paths. */
function routeOf(ctx: Koa.Context): string {
  const matched: unknown = ctx._matchedRoute
  return typeof matched === 'string' ? `${ctx.method} ${matched}` : 'other'
}

/** Times each request under the name of its route, and logs it at the level debug. */
export function timedRequests({ metrics, log }: Pick<Services, 'metrics' | 'log'>): Koa.Middleware {
  return async (ctx, next) => {
    const end = metrics.requestSeconds.startTimer()
    try {
      await next()
    } finally {
      const { status } = ctx
      const route = routeOf(ctx)
      const seconds = end({ route, status })
      log.debug({ route, status, seconds }, 'request answered')
    }
  }
}
