import type Koa from 'koa'
import helmet from 'koa-helmet'
import type { Config } from '#db/process/config'
import { isSecure } from '#gateway/auth/auth-session'

/**
 * What a browser may do with our pages. Styles may be inline, because Radix and ECharts set them;
 * scripts may not. The ref code of an invitation does not leave in a Referer.
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
