import type Koa from 'koa'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import { STATUS } from '#gateway/http/errors'
import type { Reviewer } from '#operators/actions/reviewers'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { errorPage } from './pages.ts'
import type { ReviewSessions } from './sessions.ts'

/** What the pages of reviewers work with. */
export type ReviewServices = {
  db: Db
  config: Config
  redisUrl: string | undefined
  /** Exactly what reviewers open, such as `http://127.0.0.1:3100`. */
  origin: string
  sessions: ReviewSessions
  log: Logger
}

/** A text field of a submitted form; empty if it is missing. */
export function field(ctx: Koa.Context, name: string): string {
  const body = ctx.request.body as Record<string, unknown> | undefined
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value.trim() : ''
}

/** Answers with a page. */
export function show(ctx: Koa.Context, page: string, status = 200): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = page
}

/** Sends the browser to a page with GET. */
export function goTo(ctx: Koa.Context, path: string): void {
  ctx.redirect(path)
  ctx.status = 303
}

/** The reviewer who sent the request; only behind `signedInOnly`. */
export const reviewerOf = (ctx: Koa.Context): Reviewer => ctx.state.reviewer

/** Answers every error as a page; an unexpected one is logged and answered without details. */
export function errorPages({ log }: Pick<ReviewServices, 'log'>): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) show(ctx, errorPage('Not found'), 404)
    } catch (error) {
      if (error instanceof RuleError) return show(ctx, errorPage(error.message), STATUS[error.code])
      const { status = 500 } = error as { status?: number }
      if (status >= 500) log.error({ err: error }, 'page of a reviewer failed')
      show(ctx, errorPage(`Error ${status}`), status)
    }
  }
}

/** Pages run no script and load nothing but their style sheet and the document. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * A document comes from a stranger: as a picture it is sandboxed. Browsers show no PDF in a sandbox;
 * their viewers run outside of this origin.
 */
export const DOCUMENT_POLICY = {
  picture: "default-src 'none'; frame-ancestors 'none'; sandbox",
  pdf: "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

/** Headers of every answer. `same-origin` keeps the Origin header of forms, `no-referrer` does not. */
const HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/**
 * Sets the headers, and refuses requests for another host (DNS rebinding) and forms of other sites
 * (CSRF).
 */
export function onlyFrom(origin: string): Koa.Middleware {
  const { host } = new URL(origin)
  return async (ctx, next) => {
    ctx.set(HEADERS)
    if (ctx.get('Host') !== host) ctx.throw(421)
    const isForm = ctx.method !== 'GET' && ctx.method !== 'HEAD'
    if (isForm && ctx.get('Origin') !== origin) ctx.throw(403)
    await next()
  }
}
