import { BlockList, isIPv6 } from 'node:net'
import type Koa from 'koa'
import { register } from 'prom-client'
import { isReady } from '#db/process/readiness'
import { clientIp } from '#gateway/security/client-ip'
import type { Services } from '#gateway/services/services'

const PRIVATE = new BlockList()
PRIVATE.addSubnet('127.0.0.0', 8)
PRIVATE.addSubnet('10.0.0.0', 8)
PRIVATE.addSubnet('172.16.0.0', 12)
PRIVATE.addSubnet('192.168.0.0', 16)
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Somebody of the own network who came straight here, not through a proxy that serves the world. */
function isScraper(ctx: Koa.Context): boolean {
  return isPrivate(clientIp(ctx)) && !ctx.get('X-Forwarded-For')
}

/**
 * `/healthz` (alive), `/readyz` (database, schema, Redis) and `/metrics` (Prometheus), the latter
 * for scrapers of the own network alone.
 */
export function health({ db, redis }: Services): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { ok: true }
    } else if (ctx.path === '/readyz') {
      const ok = await isReady(db, redis)
      ctx.status = ok ? 200 : 503
      ctx.body = { ok }
    } else if (ctx.path === '/metrics' && isScraper(ctx)) {
      ctx.type = register.contentType
      ctx.body = await register.metrics()
    } else {
      await next()
    }
  }
}
