import type Koa from 'koa'
import { RuleError } from '#rules/rule-error'
import { type AllowsOrigin, isSameSite } from './origins.ts'

/** Methods without side effects; every other one requires a same-origin request. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Records in `ctx.state.sameOrigin` whether our own page sent the request; rejects foreign writes. */
export function sameOriginOnly(allows: AllowsOrigin): Koa.Middleware {
  return async (ctx, next) => {
    ctx.state.sameOrigin = isSameSite(ctx.req, allows)
    if (!SAFE_METHODS.has(ctx.method)) assertSameOrigin(ctx)
    await next()
  }
}

/**
 * Call it in a GET handler that has side effects; `sameOriginOnly` covers the other methods.
 * @throws {RuleError} `cross_site`
 */
export function assertSameOrigin(ctx: Koa.Context): void {
  if (!ctx.state.sameOrigin) {
    throw new RuleError('cross_site', 'Requests from other sites are not allowed')
  }
}
