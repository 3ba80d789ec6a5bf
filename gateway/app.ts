import Koa from 'koa'
import { API_TEXTS } from '#rules/api-texts'
import { RuleError } from '#rules/rule-error'
import { NO_TRACING } from '#runtime/monitoring/tracing'
import { authSessions } from './auth/auth-session.ts'
import { errorAnswers } from './http/errors.ts'
import { requestIds, timedRequests, tracedRequests } from './http/request-ids.ts'
import { avatarFiles, health, staticFiles } from './http/static-files.ts'
import { buildFilesReader } from './pages/build-files.ts'
import { outbox } from './pages/outbox-page.ts'
import { pages } from './pages/pages.ts'
import { statusPage } from './pages/status-page.ts'
import { unsubscribePage } from './pages/unsubscribe-page.ts'
import { apiRouter } from './router.ts'
import { clientIpReader } from './security/client-ip.ts'
import { type AllowsOrigin, isSecure } from './security/origins.ts'
import { securityHeaders } from './security/security-headers.ts'
import { causeOf, type Services } from './services/services.ts'

const noSuchPath: Koa.Middleware = async (ctx, next) => {
  await next()
  if (ctx.status === 404 && ctx.body === undefined)
    throw new RuleError('not_found', API_TEXTS.notFound)
}

const CLIENT_DISCONNECTED = /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE|ECANCELED)$/

export function createApp(services: Services, allows: AllowsOrigin, clientRoot: string): Koa {
  const { config, log } = services
  const app = new Koa()
  const readClientIp = clientIpReader(config.trustedProxies)
  app.on('error', (error, ctx?: Koa.Context) => {
    // A client that disconnects before the end of its response is not an error of the gateway.
    const level = CLIENT_DISCONNECTED.test(error.code) ? 'debug' : 'error'
    const requestId = ctx && causeOf(ctx).requestId
    log[level]({ err: error, requestId }, 'request failed outside its handler')
  })
  app.use(requestIds(config.trustedProxies))
  if (services.tracing !== NO_TRACING) app.use(tracedRequests(services.tracing))
  app.use(async (ctx, next) => {
    ctx.state.ip = readClientIp(ctx.req)
    // TLS ends at the proxy: without this, `cookies` refuses Secure cookies on the plain last hop.
    if (isSecure(config)) ctx.cookies.secure = true
    await next()
  })
  app.use(timedRequests(services))
  app.use(securityHeaders(config))
  app.use(errorAnswers(log))
  app.use(health(services))
  app.use(outbox(services))
  const readBuild = buildFilesReader(clientRoot)
  app.use(statusPage(services, readBuild))
  app.use(unsubscribePage(services, readBuild))
  app.use(avatarFiles(services))
  app.use(pages(services, clientRoot, readBuild))
  app.use(staticFiles(clientRoot))
  app.use(authSessions(app, services))
  app.use(noSuchPath)
  for (const middleware of apiRouter(services, allows)) app.use(middleware)
  return app
}
