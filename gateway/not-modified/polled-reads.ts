import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sessionCookieReader, verifiedCookies } from '#gateway/auth/session-cookie'
import { answerOf, retryAfterText } from '#gateway/http/errors'
import { REQUEST_ID_HEADER, requestIdReader } from '#gateway/http/request-ids'
import { securityHeaderList } from '#gateway/security/security-headers'
import { type AuthSessionData, sessionBatchLoader } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { NO_TRACING } from '#runtime/monitoring/tracing'
import { matchesEtag, readPolled } from './etag.ts'
import { POLLED_ROUTES, type PolledRoute } from './poll-cache.ts'

type Read = { route: PolledRoute; ifNoneMatch: string | undefined }

function readOf({ method, url, headers }: IncomingMessage): Read | undefined {
  const route = POLLED_ROUTES.find((path) => path === url)
  if (!route || method !== 'GET') return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding']
  return hasBody ? undefined : { route, ifNoneMatch: headers['if-none-match'] }
}

/** Polls need none of Koa's middleware, which costs more than all of this (decision 17). */
export function polledReads(services: Services, next: RequestListener): RequestListener {
  const { config, polls, authSessions, metrics, log, tracing } = services
  const { pollCacheMembers } = config
  if (pollCacheMembers === 0) return next
  const signInNameOf = verifiedCookies(sessionCookieReader(config), pollCacheMembers)
  const readSignIn = sessionBatchLoader(authSessions)
  const requestIdOf = requestIdReader(config.trustedProxies)
  const security = securityHeaderList(config).then((list) => list.flat())

  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    more: string[],
    answer: unknown,
  ): Promise<number> {
    const body = JSON.stringify(answer)
    response.writeHead(status, [
      ...[...(await security), REQUEST_ID_HEADER, requestIdOf(request), ...more],
      ...['Cache-Control', 'no-store', 'Content-Type', 'application/json; charset=utf-8'],
      ...['Content-Length', String(Buffer.byteLength(body))],
    ])
    response.end(body)
    return status
  }

  function sendUnchanged(response: ServerResponse, etag: string): number {
    response.writeHead(304, { ETag: etag, 'Cache-Control': 'no-store' }).end()
    return 304
  }

  function sendError(request: IncomingMessage, response: ServerResponse, err: unknown) {
    const { status, answer, retryAfterMs } = answerOf(err)
    if (status >= 500) log.error({ err, method: 'GET', path: request.url }, 'request failed')
    const retry = retryAfterMs === undefined ? [] : ['Retry-After', retryAfterText(retryAfterMs)]
    return send(request, response, status, retry, answer)
  }

  /** Returns the status; undefined if Koa has to answer. */
  async function answerRead(
    request: IncomingMessage,
    response: ServerResponse,
    { route, ifNoneMatch }: Read,
  ): Promise<number | undefined> {
    const name = signInNameOf(request)
    const signIn: AuthSessionData | undefined = name ? await readSignIn(name) : undefined
    if (!name || signIn?.memberId === undefined || signIn.epoch === undefined) return undefined
    const known = ifNoneMatch && polls.currentEtag(route, signIn.memberId, signIn.epoch)
    if (known && matchesEtag(ifNoneMatch, known)) {
      metrics.polls.inc({ decided_by: 'memory' })
      return sendUnchanged(response, known)
    }
    // Once a minute Koa answers, which postpones the sign-in's idle end and records its device.
    if (tracing !== NO_TRACING || !authSessions.isPostponed(name, Date.now())) return undefined
    const read = await readPolled(services, route, signIn)
    if (!read) return undefined
    if (ifNoneMatch && matchesEtag(ifNoneMatch, read.etag))
      return sendUnchanged(response, read.etag)
    return send(request, response, 200, ['ETag', read.etag], read.answer)
  }

  return (request, response) => {
    const read = readOf(request)
    if (!read) return next(request, response)
    const end = metrics.requestSeconds.startTimer()
    answerRead(request, response, read)
      .catch((error) => sendError(request, response, error))
      .then((status) => {
        if (status === undefined) return next(request, response)
        end({ route: `GET ${read.route}`, status })
      })
  }
}
