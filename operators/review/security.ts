import type Koa from 'koa'

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
