import type Koa from 'koa'
import { STATUS } from '#gateway/http/errors'
import type { Reviewer } from '#operators/actions/reviewers/reviewers'
import { RuleError } from '#rules/rule-error'
import { errorPage } from './pages/pages.ts'
import type { ReviewServices } from './services.ts'

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
