import type Koa from 'koa'
import helmet from 'koa-helmet'
import type { Config } from '#runtime/config/config'
import { isSecure } from './origins.ts'

/** The camera takes the member's picture; nothing else of the device is ever asked for. */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()'

/** Radix and ECharts set inline styles; no inline scripts. `no-referrer` hides the referral code of a URL. */
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

/** What Helmet sets on a response that is never sent, and Permissions Policy, which it does not know. */
export async function securityHeaderList(config: Config): Promise<[string, string][]> {
  const headers: [string, string][] = []
  const res = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader() {},
  }
  await helmetOf(config)({ req: {}, res } as unknown as Koa.Context, async () => {})
  return [...headers, ['Permissions-Policy', PERMISSIONS]]
}

/** Sets these headers, on errors too: `errorAnswers` runs inside. */
export function securityHeaders(config: Config): Koa.Middleware {
  const computed = securityHeaderList(config)
  return async (ctx, next) => {
    await next()
    // They have no effect without a body, and a 304, which most polls end with, stays under 300 bytes.
    if (ctx.status === 304) return
    for (const [name, value] of await computed) ctx.res.setHeader(name, value)
  }
}
