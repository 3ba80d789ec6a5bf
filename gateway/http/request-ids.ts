import type Koa from 'koa'
import proxyAddr from 'proxy-addr'
import { isRequestId, newRequestId, withRequestId } from '#runtime/logging/request-id'

/** The header that names a request, as most proxies send it. */
export const REQUEST_ID_HEADER = 'X-Request-Id'

/**
 * Runs each request under an id, which its answer and its log lines carry. The id of a trusted proxy
 * is kept; anybody else could use one that belongs to another request.
 */
export function requestIds(trustedProxies: string[]): Koa.Middleware {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return (ctx, next) => {
    const sent = ctx.get(REQUEST_ID_HEADER)
    const isFromProxy = isTrusted(ctx.req.socket.remoteAddress ?? '', 0)
    const id = isFromProxy && isRequestId(sent) ? sent : newRequestId()
    ctx.state.requestId = id
    ctx.set(REQUEST_ID_HEADER, id)
    return withRequestId(id, next)
  }
}
