import type Koa from 'koa'
import { RuleError } from '#rules/rule-error'
import { type AllowsOrigin, isSameSite } from './origins.ts'

/** Methods that change nothing; everything else must come from our own pages. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Notes for later whether a request comes from our own pages, and refuses foreign changes. */
export function sameOriginOnly(allows: AllowsOrigin): Koa.Middleware {
  return async (ctx, next) => {
    ctx.state.ownPage = isSameSite(ctx.req, allows)
    if (!READS.has(ctx.method)) assertSameOrigin(ctx)
    await next()
  }
}

/**
 * For a GET that changes something after all.
 * @throws {RuleError} `cross_site`
 */
export function assertSameOrigin(ctx: Koa.Context): void {
  if (!ctx.state.ownPage) {
    throw new RuleError('cross_site', 'Requests from other sites are not allowed')
  }
}
