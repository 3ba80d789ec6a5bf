import Router from '@koa/router'
import type Koa from 'koa'
import type { RouteName } from '#contract/routes'
import { BadInput } from './http/errors.ts'
import { readJson } from './http/request-body.ts'
import { callOf, type RouteHandler } from './http/route.ts'
import { ROUTES } from './routes/index.ts'
import { type AllowsOrigin, sameOriginOnly } from './security/origins.ts'
import type { Services } from './services/services.ts'

const noStore: Koa.Middleware = async (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  await next()
}

const UPLOADS = new Set(['POST /api/user/kyc'])

const jsonOnly: Koa.Middleware = async (ctx, next) => {
  const hasBody = Number(ctx.get('Content-Length') || 0) > 0 || !!ctx.get('Transfer-Encoding')
  if (hasBody && !UPLOADS.has(`${ctx.method} ${ctx.path}`) && !ctx.is('application/json')) {
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
      const answer = await (handle as RouteHandler<RouteName>)(callOf(services, ctx, route))
      if (answer !== undefined) ctx.body = answer
    })
  }
  return [router.routes() as unknown as Koa.Middleware, otherMethods(router)]
}
