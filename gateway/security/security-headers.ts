import type Koa from 'koa'
import helmet from 'koa-helmet'
import type { Config } from '#db/process/config'
import { isSecure } from './origins.ts'

/**
 * Content Security Policy and related headers. Inline styles are allowed because Radix and ECharts
 * set them; inline scripts are not. `no-referrer` keeps the referral code in a URL from other sites.
 */
export function securityHeaders(config: Config): Koa.Middleware {
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
