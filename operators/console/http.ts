import type { Queue } from 'bullmq'
import type Koa from 'koa'
import type { Logger } from 'pino'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { placeOf } from '#gateway/auth/auth-session'
import { isUnavailable } from '#gateway/http/errors'
import { clientIp, clientIpReader } from '#gateway/security/client-ip'
import { type ActionDetails, recordAction } from '#operators/actions/action-log'
import { ownerOfSignIn, type SignedIn } from '#operators/actions/operator-sign-ins'
import type { Operator } from '#operators/actions/operators'
import { RuleError, STATUS } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { OperatorError } from '#runtime/operator-error'
import { html } from './html.ts'
import { layout, notice } from './layout.ts'

export type ConsoleServices = {
  db: Db
  config: Config
  /** Exactly what operators open, such as `http://127.0.0.1:3100`. */
  origin: string
  log: Logger
  /** Every queue, on a connection that is kept. */
  queues(): Promise<Queue[]>
}

/** Without the character that Postgres takes in no text. */
const storable = (text: string) => text.replaceAll('\0', '')

/** Returns a field as it was typed; undefined if it is missing. */
export function typed(ctx: Koa.Context, name: string): string | undefined {
  const body = ctx.request.body as Record<string, unknown> | undefined
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? storable(value) : undefined
}

/** Trims a field; browsers end its lines with CR LF. Empty if it is missing. */
export const field = (ctx: Koa.Context, name: string): string =>
  typed(ctx, name)?.trim().replaceAll('\r\n', '\n') ?? ''

export const fieldsOf = (ctx: Koa.Context): Record<string, string> =>
  Object.fromEntries(Object.keys(ctx.request.body ?? {}).map((name) => [name, field(ctx, name)]))

export function query(ctx: Koa.Context, name: string): string {
  const value = Object.hasOwn(ctx.query, name) ? ctx.query[name] : undefined
  return typeof value === 'string' ? storable(value).trim() : ''
}

export function show(ctx: Koa.Context, page: string, status = 200): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = page
}

export function goTo(ctx: Koa.Context, path: string): void {
  ctx.redirect(path)
  ctx.status = 303
}

/** Prevents open redirects: what is no path of the console leads to the start. */
export const backPath = (path: string): string =>
  /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/'

/** For use behind `signedInOnly`. */
export const operatorOf = (ctx: Koa.Context): SignedIn => ctx.state.operator

export const cookieName = (origin: string) =>
  origin.startsWith('https:') ? '__Host-console' : 'console'

/** The log of actions holds refusals of operators only: a stranger must not be able to fill it. */
export async function logRefusal(
  services: ConsoleServices,
  ctx: Koa.Context,
  reason: string,
  details: ActionDetails = {},
): Promise<void> {
  const { db, log, origin } = services
  // Who reads the token of an invitation could accept it; the router ignores the case.
  const path = ctx.path.replace(/^(\/invitation\/).*/is, '$1…').slice(0, 100)
  const cookie = ctx.cookies.get(cookieName(origin)) ?? ''
  const operator: Operator | undefined = ctx.state.operator ?? (await ownerOfSignIn(db, cookie))
  if (!operator) {
    log.warn({ path, ip: clientIp(ctx), reason }, 'request to the console refused')
    return
  }
  const { id: operatorId, name } = operator
  const entry = { operator: name, operatorId, action: 'console refused', memberId: null, reason }
  // Coarse, because the log keeps it for good.
  const { network } = placeOf(ctx)
  await inTransaction(db, (tx) =>
    recordAction(tx, { ...entry, details: { path, network, ...details } }),
  )
}

const UNAVAILABLE =
  'The database or Redis does not answer. Before you repeat an action, see in the log whether it is done.'

/** An unexpected error is logged and answered without details. */
export function errorPages({ log }: Pick<ConsoleServices, 'log'>): Koa.Middleware {
  const errorPage = (ctx: Koa.Context, title: string, status: number, advice?: string) => {
    const content = html`${notice(advice)}<p><a href="/">Back to the start</a></p>`
    show(ctx, layout({ title, content, ...ctx.state.frame }), status)
  }
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) errorPage(ctx, 'Not found', 404)
    } catch (error) {
      if (error instanceof RuleError) return errorPage(ctx, error.message, STATUS[error.code])
      const { status = isUnavailable(error) ? 503 : 500 } = error as { status?: number }
      if (status >= 500) log.error({ err: error }, 'page of the console failed')
      const title = status === 403 ? 'This is not allowed' : `Error ${status}`
      const advice = error instanceof OperatorError ? error.message : undefined
      errorPage(ctx, title, status, advice ?? (status === 503 ? UNAVAILABLE : undefined))
    }
  }
}

/** Pages run no script and load nothing but their style sheet, their fonts and documents. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `same-origin` keeps the Origin header of forms, `no-referrer` does not. */
const HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

/** Refuses requests for another host (DNS rebinding) and forms of other sites (CSRF). */
export function onlyFrom(services: ConsoleServices): Koa.Middleware {
  const { host, origin } = new URL(services.origin)
  const readClientIp = clientIpReader(services.config.trustedProxies)
  return async (ctx, next) => {
    ctx.state.ip = readClientIp(ctx.req)
    ctx.set(HEADERS)
    const isSecure = origin.startsWith('https:')
    // TLS ends at a proxy: without this, `cookies` sets and deletes no Secure cookie on the plain last hop.
    ctx.cookies.secure = isSecure
    if (isSecure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    if (ctx.get('Host') !== host) ctx.throw(421)
    const isForm = ctx.method !== 'GET' && ctx.method !== 'HEAD'
    if (isForm && ctx.get('Origin') !== origin) {
      await logRefusal(services, ctx, 'a form of another site')
      ctx.throw(403)
    }
    await next()
  }
}
