import type { IncomingMessage } from 'node:http'
import { send } from '@koa/send'
import type Koa from 'koa'
import proxyAddr from 'proxy-addr'
import { escapeHtml } from '#db/mail-texts/mail-html'
import { newestMails } from '#db/mails'
import { readAvatar } from '#db/members/avatar-files'
import { PROBES } from '#db/metrics-server'
import { APP_PATHS, ignoreStreamErrors, isPageRequest } from '#gateway/pages/pages'
import { ipBucket } from '#gateway/services/rate-limits'
import { causeOf, type Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { avatarHashIn } from '#rules/members/avatars'
import { RuleError } from '#rules/rule-error'
import { type Cause, isRequestId, newRequestId } from '#runtime/logging/request-id'
import type { Tracing } from '#runtime/monitoring/tracing'

/** The header that names a request, as most proxies send it. */
export const REQUEST_ID_HEADER = 'X-Request-Id'

/** The id of a request: that of a trusted proxy is kept; other clients could send the id of another request. */
export function requestIdReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return ({ headers, socket }) => {
    const sent = headers[REQUEST_ID_HEADER.toLowerCase()]
    const isFromProxy = sent !== undefined && isTrusted(socket.remoteAddress ?? '', 0)
    return isFromProxy && isRequestId(sent) ? sent : newRequestId()
  }
}

/** Gives each request its id, which its answer and its log lines carry. */
export function requestIds(trustedProxies: string[]): Koa.Middleware {
  const idOf = requestIdReader(trustedProxies)
  return (ctx, next) => {
    const id = idOf(ctx.req)
    ctx.state.cause = { requestId: id } satisfies Cause
    ctx.set(REQUEST_ID_HEADER, id)
    return next()
  }
}

/** Records each request as a span under the name of its route; status 5xx counts as failed. */
export function tracedRequests(tracing: Tracing): Koa.Middleware {
  return (ctx, next) =>
    tracing.span('server', ctx.method, causeOf(ctx), async (span) => {
      ctx.state.cause = span.cause
      await next()
      const matched: unknown = ctx._matchedRoute
      if (typeof matched === 'string') span.rename(`${ctx.method} ${matched}`)
      span.set({ 'http.request.method': ctx.method, 'http.response.status_code': ctx.status })
      // Errors have become answers here.
      if (ctx.status >= 500) span.fail()
    })
}

/** The pattern of the route, which holds no values; one name for files and unknown paths. */
function routeOf(ctx: Koa.Context): string {
  const matched: unknown = ctx._matchedRoute
  return typeof matched === 'string' ? `${ctx.method} ${matched}` : 'other'
}

/** Times each request under the name of its route, and logs it at the level debug. */
export function timedRequests({ metrics, log }: Pick<Services, 'metrics' | 'log'>): Koa.Middleware {
  return async (ctx, next) => {
    const end = metrics.requestSeconds.startTimer()
    try {
      await next()
    } finally {
      const { status } = ctx
      const route = routeOf(ctx)
      const seconds = end({ route, status })
      log.debug({ requestId: causeOf(ctx).requestId, route, status, seconds }, 'request answered')
    }
  }
}

/** `/healthz` and `/readyz` for proxies; metrics have a separate port (`METRICS_PORT`). */
export function health({ db, redis }: Services): Koa.Middleware {
  const probed = { db, redis }
  return async (ctx, next) => {
    const probe = PROBES[ctx.path]
    if (!probe) return next()
    const { status, type, body } = await probe(probed)
    ctx.status = status
    ctx.type = type
    ctx.body = body
  }
}

/**
 * Serves the built client. Files with a hash in their name are cached indefinitely, the page itself is
 * revalidated each time. A missing file is a 404, not the page.
 */
export function staticFiles(root: string): Koa.Middleware {
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || APP_PATHS.test(ctx.path)) return next()
    const path = isPageRequest(ctx) ? '/index.html' : ctx.path
    const hashed = path.startsWith('/assets/')
    try {
      ctx.vary('Accept-Encoding')
      const options = { root, maxAge: hashed ? 31_536_000_000 : 0, immutable: hashed }
      // A folder or a hidden file is not sent.
      if ((await send(ctx, path, options)) === undefined) return next()
      ignoreStreamErrors(ctx)
      if (!hashed) ctx.set('Cache-Control', 'no-cache')
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 404) return next()
      throw error
    }
  }
}

/** The longest time that caches honour, seconds: the bytes of a path never change. */
const YEAR_SECONDS = 31_536_000

/**
 * Serves uploaded avatars to everybody who knows the path, which is the SHA-256 of the picture. `private`
 * keeps them out of shared caches, where they would outlive a deleted account.
 */
export function avatarFiles({ db, limits }: Pick<Services, 'db' | 'limits'>): Koa.Middleware {
  return async (ctx, next) => {
    const hash = avatarHashIn(ctx.path)
    if (hash === undefined || !['GET', 'HEAD'].includes(ctx.method)) return next()
    await limits.use('avatar-address', ipBucket(ctx.state.ip))
    const bytes = await readAvatar(db, hash)
    if (!bytes) throw new RuleError('not_found', API_TEXTS.notFound)
    ctx.set('Cache-Control', `private, max-age=${YEAR_SECONDS}, immutable`)
    ctx.type = 'image/jpeg'
    ctx.body = bytes
  }
}

/** Whether a request comes from this machine, and not from a proxy on it. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '')
}

/**
 * `/dev/outbox` shows mails to programs of this machine, where the database is the embedded one and no
 * SMTP server is configured. Never in production.
 */
export function outbox({ config, db }: Services): Koa.Middleware {
  const isServed = config.devOutbox && !config.production && !config.smtpUrl
  return async (ctx, next) => {
    if (!isServed || ctx.path !== '/dev/outbox' || !isLocal(ctx.req)) return next()
    const mails = await newestMails(db, config.dataKey)
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = mails
      return
    }
    const items = mails.map(
      ({ to, subject, text, createdAt }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(to)}, ${createdAt.toISOString()}</p>
         <pre>${escapeHtml(text)}</pre></article>`,
    )
    ctx.type = 'html'
    ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outbox</title>
      <style>body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
      <h1>Outbox</h1>${items.join('') || '<p>No mail yet.</p>'}</html>`
  }
}
