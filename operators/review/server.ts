import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { connect } from '#db/engine/connect'
import { isMigrated } from '#db/migrations/schema-floor'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { createLog } from '#runtime/logging/log'
import { documentRoutes } from './documents.ts'
import { errorPages, onlyFrom, type ReviewServices } from './http.ts'
import { ReviewSessions } from './sessions.ts'
import { signedInOnly, signInRoutes } from './sign-in.ts'

/**
 * `/readyz` for the health check of a container: 200 if the database answers and has the schema.
 * It is answered for every host name, because it says nothing else.
 */
function readiness({ db }: Pick<ReviewServices, 'db'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/readyz') return next()
    const isReady = await isMigrated(db).catch(() => false)
    ctx.status = isReady ? 200 : 503
    ctx.body = { ok: isReady }
  }
}

/** The pages on which reviewers read and decide about identity documents. */
function reviewApp(services: ReviewServices): Koa {
  const app = new Koa()
  // `errorPages` answers the errors of handlers; what is left is a browser that disconnected.
  app.on('error', (error) => services.log.debug({ err: error }, 'page of a reviewer not sent'))
  app.use(errorPages(services))
  app.use(readiness(services))
  app.use(onlyFrom(services.origin))
  app.use(bodyParser({ enableTypes: ['form'], formLimit: '16kb' }) as unknown as Koa.Middleware)
  app.use(signInRoutes(services))
  app.use(signedInOnly(services))
  app.use(documentRoutes(services))
  return app
}

export type ReviewOptions = {
  config: Config
  redisUrl: string | undefined
  /** 0 for any. */
  port: number
  /** What reviewers open; absent, this machine without TLS. */
  origin?: string | undefined
  /**
   * Address to listen on; absent, this machine only unless the origin has TLS. In a container whose
   * port is published on this machine only, every address.
   */
  host?: string | undefined
}

/**
 * Passwords and documents must not cross a network in clear text.
 * @throws {RuleError} `bad_input` unless the origin has TLS or is this machine
 */
function checkOrigin(origin: string): void {
  const {
    protocol,
    hostname,
    origin: exact,
  } = URL.canParse(origin) ? new URL(origin) : { protocol: '', hostname: '', origin: '' }
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (exact === origin && (protocol === 'https:' || (protocol === 'http:' && isLocal))) return
  const example = 'https://review.tesp.example'
  throw new RuleError('bad_input', `REVIEW_ORIGIN is "${origin}": set an origin like ${example}`)
}

/**
 * Starts the pages of reviewers in a process of their own, apart from what members reach. It listens
 * on this machine only, unless the origin has TLS, which ends at a proxy, or `host` says otherwise.
 */
export async function startReview(
  options: ReviewOptions,
): Promise<{ origin: string; close(): Promise<void> }> {
  const { config, redisUrl, port } = options
  if (options.origin !== undefined) checkOrigin(options.origin)
  const host = options.host ?? (options.origin?.startsWith('https:') ? config.host : '127.0.0.1')
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const origin = options.origin ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const log = createLog('review', config.logLevel)
  const { databaseUrl, databasePrepared: preparedStatements } = config
  const db = connect(databaseUrl, { max: 4, name: 'tesp-review', preparedStatements })
  const sessions = new ReviewSessions()
  server.on('request', reviewApp({ db, config, redisUrl, origin, sessions, log }).callback())
  return {
    origin,
    async close() {
      server.closeIdleConnections()
      await new Promise((resolve) => server.close(resolve))
      await db.destroy()
    },
  }
}
