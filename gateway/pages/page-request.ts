import { basename } from 'node:path'
import type Koa from 'koa'
import { LANGUAGE_COOKIE, MEMBER_COOKIE } from '#contract/headers'
import { languageOfRequest } from '#gateway/services/mails'
import { isLanguage, type Language } from '#rules/members/languages'

/**
 * The language of a page: the choice on the device, that of its member, or the browser's preference, as
 * the client chooses it too.
 */
export function pageLanguage(ctx: Koa.Context, member?: { language: Language | null }): Language {
  const chosen = ctx.cookies.get(LANGUAGE_COOKIE, { signed: false })
  if (isLanguage(chosen)) return chosen
  return member?.language ?? languageOfRequest(ctx)
}

/** Paths of our endpoints, none of which is a page of the app. */
export const APP_PATHS = /^\/(api|socket\.io|dev|healthz|readyz|metrics)(\/|$)/

/** The path of a page, without a slash at its end. */
export const pagePath = ({ path }: Koa.Context): string => path.replace(/(.)\/+$/, '$1')

/** Whether a browser navigates to a page of the app: HTML, no extension, none of our endpoints. */
export function isPageRequest(ctx: Koa.Context): boolean {
  return (
    (ctx.method === 'GET' || ctx.method === 'HEAD') &&
    !basename(ctx.path).includes('.') &&
    !APP_PATHS.test(ctx.path) &&
    ctx.accepts('html') === 'html'
  )
}

/**
 * Whether the browser shows the answer as a page. A script that requests a page, such as a service
 * worker that caches it for every member, gets the file of the build.
 */
export function isNavigation(ctx: Koa.Context): boolean {
  return ['', 'document'].includes(ctx.get('Sec-Fetch-Dest'))
}

/** Whether the browser of the visitor hydrates the prerendered sign-in page as it is. */
export function isPlainSignIn(ctx: Koa.Context): boolean {
  const isVisitor = ctx.cookies.get(MEMBER_COOKIE, { signed: false }) === undefined
  // A referral link opens the other tab.
  return pagePath(ctx) === '/auth' && ctx.query.ref === undefined && isVisitor
}
