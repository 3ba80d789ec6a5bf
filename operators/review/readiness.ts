import type Koa from 'koa'
import { isMigrated } from '#db/postgres/schema/schema-floor'
import type { ReviewServices } from './services.ts'

/**
 * `/readyz` for the health check of a container: 200 if the database answers and has the schema.
 * It is answered for every host name, because it says nothing else.
 */
export function readiness({ db }: Pick<ReviewServices, 'db'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/readyz') return next()
    const isReady = await isMigrated(db).catch(() => false)
    ctx.status = isReady ? 200 : 503
    ctx.body = { ok: isReady }
  }
}
