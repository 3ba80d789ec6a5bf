import type Koa from 'koa'
import { register } from 'prom-client'
import { isReady } from '#db/ready'
import type { Services } from './services.ts'

/** `/healthz` (alive), `/readyz` (database, schema, Redis) and `/metrics` (Prometheus). */
export function health({ db, redis }: Services): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { ok: true }
    } else if (ctx.path === '/readyz') {
      const ok = await isReady(db, redis)
      ctx.status = ok ? 200 : 503
      ctx.body = { ok }
    } else if (ctx.path === '/metrics') {
      ctx.type = register.contentType
      ctx.body = await register.metrics()
    } else {
      await next()
    }
  }
}
