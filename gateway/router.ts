import Router from '@koa/router'
import type Koa from 'koa'
import type { RouteName } from '#contract/routes'
import { BadInput } from './http/errors.ts'
import { UPLOAD } from './http/http-server.ts'
import { readJson } from './http/request-body.ts'
import type { Call, RouteHandler } from './http/route.ts'
import { bodyOf, paramsOf, queryOf } from './http/validate.ts'
import { ROUTES } from './routes/index.ts'
import { type AllowsOrigin, sameOriginOnly } from './security/origins.ts'
import { causeOf, type Services, servicesFor } from './services/services.ts'

const noStore: Koa.Middleware = async (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  await next()
}

const jsonOnly: Koa.Middleware = async (ctx, next) => {
  const hasBody = Number(ctx.get('Content-Length') || 0) > 0 || !!ctx.get('Transfer-Encoding')
  if (hasBody && `${ctx.method} ${ctx.path}` !== UPLOAD && !ctx.is('application/json')) {
    throw new BadInput('Send JSON', undefined, 415)
  }
  await next()
}

/** Answers 405 (with `Allow`) and 501 in JSON. */
function otherMethods(router: Router): Koa.Middleware {
  const allowed = router.allowedMethods() as unknown as Koa.Middleware
  return async (ctx, next) => {
    await allowed(ctx, next)
    const { status } = ctx
    if (status !== 405 && status !== 501) return
    ctx.body = { message: 'Method not allowed' }
    ctx.status = status
  }
}

export function apiRouter(services: Services, allows: AllowsOrigin): Koa.Middleware[] {
  const router = new Router()
  router.use(noStore, sameOriginOnly(allows), jsonOnly, ...readJson)
  for (const [name, { handle }] of Object.entries(ROUTES)) {
    const route = name as RouteName
    const [method, path = ''] = name.split(' ')
    router.register(path, [String(method)], async (ctx: Koa.Context) => {
      const call = {
        services: servicesFor(services, causeOf(ctx)),
        ctx,
        now: Date.now(),
        params: paramsOf(ctx),
        body: bodyOf(ctx, route),
        query: queryOf(ctx, route),
      }
      const answer = await (handle as RouteHandler<RouteName>)(call as Call<RouteName>)
      if (answer !== undefined) ctx.body = answer
    })
  }
  return [router.routes() as unknown as Koa.Middleware, otherMethods(router)]
}
