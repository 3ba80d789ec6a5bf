import { basename } from 'node:path'
import { send } from '@koa/send'
import type Koa from 'koa'

const APP_PATHS = /^\/(api|socket\.io|dev|healthz|readyz|metrics)(\/|$)/

/** Whether a browser navigates to a page of the app: HTML, no extension, none of our endpoints. */
function isPageRequest(ctx: Koa.Context): boolean {
  return (
    !basename(ctx.path).includes('.') && !APP_PATHS.test(ctx.path) && ctx.accepts('html') === 'html'
  )
}

/**
 * Serves the built client. Files with a hash in their name are cached for ever, the page itself is
 * revalidated each time. A missing file is a 404, not the page.
 */
export function staticFiles(root: string): Koa.Middleware {
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || APP_PATHS.test(ctx.path)) return next()
    const path = isPageRequest(ctx) ? '/index.html' : ctx.path
    const hashed = path.startsWith('/assets/')
    try {
      ctx.vary('Accept-Encoding')
      await send(ctx, path, { root, maxAge: hashed ? 31_536_000_000 : 0, immutable: hashed })
      if (!hashed) ctx.set('Cache-Control', 'no-cache')
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 404) return next()
      throw error
    }
  }
}
