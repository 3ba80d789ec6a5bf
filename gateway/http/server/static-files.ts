import { send } from '@koa/send'
import type Koa from 'koa'
import { APP_PATHS, isPageRequest } from '#gateway/pages/page-request'

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
