import type { IncomingMessage, RequestListener } from 'node:http'
import { sessionCookieReader, verifiedCookies } from '#gateway/auth/session-cookie'
import { sessionBatchLoader } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { matchesEtag } from './etag.ts'
import { POLLED_ROUTES, type PolledRoute } from './poll-cache.ts'

/** A GET of a polled route with an ETag; everything else about the request must be plain. */
type Poll = { route: PolledRoute; ifNoneMatch: string }

function pollOf({ method, url, headers }: IncomingMessage): Poll | undefined {
  const route = POLLED_ROUTES.find((path) => path === url)
  const ifNoneMatch = headers['if-none-match']
  if (!route || !ifNoneMatch || method !== 'GET') return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding']
  return hasBody ? undefined : { route, ifNoneMatch }
}

/**
 * Answers a poll 304 if its member's state is known to be unchanged (decision 17); every other
 * request goes to `next`. It stands before Koa because a poll needs none of its middleware: most
 * requests of a busy gateway end here.
 */
export function unchangedPolls(services: Services, next: RequestListener): RequestListener {
  const { config, polls, authSessions, metrics } = services
  const { pollCacheMembers } = config
  if (pollCacheMembers === 0) return next
  const signInNameOf = verifiedCookies(sessionCookieReader(config), pollCacheMembers)
  const readSignIn = sessionBatchLoader(authSessions)

  /** The member's ETag if the poll sent it and the sign-in, read from Redis, still exists. */
  async function unchangedEtag(
    request: IncomingMessage,
    { route, ifNoneMatch }: Poll,
  ): Promise<string | undefined> {
    const name = signInNameOf(request)
    const signIn = name && (await readSignIn(name))
    if (!signIn || signIn.memberId === undefined || signIn.epoch === undefined) return undefined
    const etag = polls.currentEtag(route, signIn.memberId, signIn.epoch)
    return etag && matchesEtag(ifNoneMatch, etag) ? etag : undefined
  }

  return (request, response) => {
    const poll = pollOf(request)
    if (!poll) return next(request, response)
    const end = metrics.requestSeconds.startTimer()
    unchangedEtag(request, poll)
      // `next` repeats a failed read of the sign-in and answers its error.
      .catch(() => undefined)
      .then((etag) => {
        if (!etag) return next(request, response)
        response.writeHead(304, { ETag: etag, 'Cache-Control': 'no-store' }).end()
        metrics.polls.inc({ decided_by: 'memory' })
        end({ route: `GET ${poll.route}`, status: 304 })
      })
  }
}
