import type Koa from 'koa'
import { PROBES } from '#db/monitoring/probes'
import type { Services } from '#gateway/services/services'

/** `/healthz` and `/readyz` for proxies; metrics have a port of their own (`METRICS_PORT`). */
export function health({ db, redis }: Services): Koa.Middleware {
  const probed = { db, redis }
  return async (ctx, next) => {
    const probe = PROBES[ctx.path]
    if (!probe) return next()
    const { status, type, body } = await probe(probed)
    ctx.status = status
    ctx.type = type
    ctx.body = body
  }
}
