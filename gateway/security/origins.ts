import type { IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import type Koa from 'koa'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'

/** Whether a page of that origin may act for a member. */
export type AllowsOrigin = (request: IncomingMessage, origin: string) => boolean

/** Whether members reach the product over TLS; then cookies are `Secure` and HSTS is on. */
export function isSecure({ publicOrigins }: Config): boolean {
  return publicOrigins.some((origin) => origin.startsWith('https:'))
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The interfaces are read last, because that asks the kernel. */
function isOwnHost(host: string): boolean {
  if (LOOPBACK.has(host)) return true
  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return interfaces.some(
    ({ address }) => host === (address.includes(':') ? `[${address}]` : address),
  )
}

/** Development also allows the request's own host if it names this machine; no other, against DNS rebinding. */
export function allowsOrigin({ publicOrigins, production }: Config): AllowsOrigin {
  return (request, origin) => {
    if (publicOrigins.includes(origin)) return true
    if (production || !URL.canParse(origin)) return false
    const { host, hostname, protocol } = new URL(origin)
    return protocol === 'http:' && host === request.headers.host && isOwnHost(hostname)
  }
}

/** CSRF check: browsers send `Origin` or `Sec-Fetch-Site` with each write; a client without either is no browser. */
function isSameSite(request: IncomingMessage, allows: AllowsOrigin): boolean {
  const { origin } = request.headers
  if (origin !== undefined) return allows(request, origin)
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function sameOriginOnly(allows: AllowsOrigin): Koa.Middleware {
  return async (ctx, next) => {
    ctx.state.sameOrigin = isSameSite(ctx.req, allows)
    if (!SAFE_METHODS.has(ctx.method)) assertSameOrigin(ctx)
    await next()
  }
}

/** For a GET handler with side effects; `sameOriginOnly` covers the other methods. Throws `cross_site`. */
export function assertSameOrigin(ctx: Koa.Context): void {
  if (!ctx.state.sameOrigin) {
    throw new RuleError('cross_site', 'Requests from other sites are not allowed')
  }
}
