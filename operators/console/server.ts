import { createServer } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import { connect } from '#db/engine/connect'
import { isMigrated } from '#db/migrations/schema-floor'
import { cookieKeys } from '#gateway/auth/session-cookie'
import { listen } from '#gateway/http/http-server'
import { notCompressed } from '#gateway/http/request-body'
import { refuse } from '#operators/actions/action-log'
import type { Config } from '#runtime/config/config'
import { createLog } from '#runtime/log'
import { OperatorError } from '#runtime/operator-error'
import { explainPortError } from '#runtime/process/explain-error'
import { actionRoutes } from './actions.ts'
import { assets } from './assets.ts'
import { type ConsoleServices, errorPages, onlyFrom } from './http.ts'
import { invitationRoutes } from './invitation.ts'
import { framed, pageRoutes } from './pages.ts'
import { QueueBoard, queueBoardPages } from './queue-board.ts'
import { signedInOnly, signInRoutes, signOutRoutes } from './sign-in.ts'

/** Health check of a container. Answered for every host name, because it says nothing else. */
function readiness({ db }: Pick<ConsoleServices, 'db'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/readyz') return next()
    const isReady = await isMigrated(db).catch(() => false)
    ctx.status = isReady ? 200 : 503
    ctx.body = { ok: isReady }
  }
}

/** What a request passes, in this order. */
function consoleApp(services: ConsoleServices, board: QueueBoard): Koa {
  const app = new Koa()
  app.keys = cookieKeys(services.config.sessionKeys)
  // `errorPages` answers the errors of handlers; what is left is a browser that disconnected.
  app.on('error', (error) => services.log.debug({ err: error }, 'page of the console not sent'))
  app.use(errorPages(services))
  app.use(readiness(services))
  app.use(onlyFrom(services))
  app.use(notCompressed)
  app.use(bodyParser({ enableTypes: ['form'], formLimit: '64kb' }) as unknown as Koa.Middleware)
  const [open, signedIn] = [new Router(), new Router()]
  assets(open)
  signInRoutes(open, services)
  invitationRoutes(open, services)
  app.use(open.routes() as unknown as Koa.Middleware)
  app.use(signedInOnly(services))
  app.use(framed)
  app.use(queueBoardPages(services, board))
  signOutRoutes(signedIn, services)
  actionRoutes(signedIn, services)
  pageRoutes(signedIn, services)
  app.use(signedIn.routes() as unknown as Koa.Middleware)
  return app
}

/** Browsers open connections ahead and keep them: the end waits for them no longer than this. */
const DRAIN_MS = 3_000

export type RunningConsole = { origin: string; close(): Promise<void> }

/** Passwords must not cross a network in clear text. @throws {RuleError} `bad_input` unless it has TLS or is local */
function checkOrigin(origin: string): void {
  const { protocol, hostname, origin: exact } = new URL(URL.canParse(origin) ? origin : 'about:')
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  if (exact === origin && (protocol === 'https:' || (protocol === 'http:' && isLocal))) return
  const example = 'https://console.tesp.example'
  refuse(`CONSOLE_ORIGIN is "${origin}": set an origin like ${example}`)
}

/**
 * Listens on this machine only, unless the origin has TLS, which ends at a proxy, or the settings say otherwise.
 * @throws {OperatorError} if the port cannot be used
 */
export async function startConsole(config: Config): Promise<RunningConsole> {
  const { consoleOrigin, consolePort } = config
  if (consoleOrigin !== undefined) checkOrigin(consoleOrigin)
  const isBehindTls = consoleOrigin?.startsWith('https:')
  const host = config.consoleHost ?? (isBehindTls ? config.host : '127.0.0.1')
  const server = createServer()
  const port = await listen(server, consolePort, host).catch((error) => {
    throw new OperatorError(explainPortError(error, consolePort, 'CONSOLE_PORT'))
  })
  const origin = consoleOrigin ?? `http://127.0.0.1:${port}`
  const log = createLog('console', config.logLevel)
  const { databaseUrl, databasePrepared: preparedStatements } = config
  const db = connect(databaseUrl, { max: 4, name: 'tesp-console', preparedStatements })
  const board = new QueueBoard(config)
  const services = { db, config, origin, log, queues: board.queues }
  server.on('request', consoleApp(services, board).callback())
  return {
    origin,
    async close() {
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(deadline)
      await board.close()
      await db.destroy()
    },
  }
}
