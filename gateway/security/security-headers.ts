import type Koa from 'koa'
import helmet from 'koa-helmet'
import type { Config } from '#runtime/config/config'
import { isSecure } from './origins.ts'

/** The camera takes the member's picture; nothing else of the device is ever asked for. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()'

/** Permissions Policy, which helmet does not set. */
export const permissionsPolicy: Koa.Middleware = (ctx, next) => {
  ctx.set('Permissions-Policy', PERMISSIONS)
  return next()
}

/**
 * Content Security Policy and related headers. Inline styles are allowed because Radix and ECharts
 * set them; inline scripts are not. `no-referrer` keeps the referral code in a URL from other sites.
 */
function helmetOf(config: Config): Koa.Middleware {
  const secure = isSecure(config)
  const sockets = config.publicOrigins.map((origin) => origin.replace(/^http/, 'ws'))
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...sockets],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginOpenerPolicy: secure ? { policy: 'same-origin' } : false,
    originAgentCluster: secure,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
}

/** The headers that a middleware of Helmet sets, taken from a response that is never sent. */
async function headersOf(middleware: Koa.Middleware): Promise<[string, string][]> {
  const headers: [string, string][] = []
  const res = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader() {},
  }
  await middleware({ req: {}, res } as unknown as Koa.Context, async () => {})
  return headers
}

/** Sets the headers of every answer. They do not depend on the request and are computed once. */
export function securityHeaders(config: Config): Koa.Middleware {
  const computed = headersOf(helmetOf(config))
  return async (ctx, next) => {
    for (const [name, value] of await computed) ctx.res.setHeader(name, value)
    await next()
  }
}
