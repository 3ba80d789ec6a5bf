import { BlockList, isIPv6 } from 'node:net'
import type Koa from 'koa'
import { PROBES } from '#db/process/probes'
import { clientIp } from '#gateway/security/client-ip'
import type { Services } from '#gateway/services/services'

const PRIVATE = new BlockList()
PRIVATE.addSubnet('127.0.0.0', 8)
PRIVATE.addSubnet('10.0.0.0', 8)
PRIVATE.addSubnet('172.16.0.0', 12)
PRIVATE.addSubnet('192.168.0.0', 16)
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

function isPrivate(ip: string): boolean {
  return PRIVATE.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

/** A private-network client that did not come through the public proxy. */
function isScraper(ctx: Koa.Context): boolean {
  return isPrivate(clientIp(ctx)) && !ctx.get('X-Forwarded-For')
}

/** `/healthz`, `/readyz` and `/metrics`; the last one for scrapers of the private network only. */
export function health({ db, redis, metrics }: Services): Koa.Middleware {
  const probed = { db, redis, registry: metrics.registry }
  return async (ctx, next) => {
    const probe = PROBES[ctx.path]
    if (!probe || (ctx.path === '/metrics' && !isScraper(ctx))) return next()
    const { status, type, body } = await probe(probed)
    ctx.status = status
    ctx.type = type
    ctx.body = body
  }
}
