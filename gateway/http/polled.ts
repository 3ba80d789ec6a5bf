import type Koa from 'koa'
import type { Answers } from '#contract/routes'
import type { MemberSnapshot } from '#db/mining/snapshots'
import { authSession, cookieName } from '#gateway/auth/auth-session'
import { POLLED_ROUTES, type PolledRoute } from '#gateway/polls/poll-cache'
import type { AuthSessionData } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { isFresh, matchesEtag } from './etag.ts'
import { notSignedIn, type RouteHandler } from './route.ts'

/**
 * A route that answers from the snapshot of the signed-in member. The snapshot holds the member's
 * epoch, so the sign-in takes no query of its own. The ETag is kept for `unchangedPolls`.
 */
export function polled<P extends PolledRoute>(
  path: P,
  view: (snapshot: MemberSnapshot) => Answers[`GET ${P}`],
  etagOfView: (answer: Answers[`GET ${P}`]) => string,
): RouteHandler<`GET ${P}`> {
  return async ({ services, ctx, reply }) => {
    const { memberId, epoch } = authSession(ctx)
    if (memberId === undefined || epoch === undefined) throw notSignedIn()
    const ticket = services.polls.begin(path, memberId)
    const snapshot = await services.snapshots.load(memberId)
    if (snapshot?.authEpoch !== epoch) throw notSignedIn()
    const answer = view(snapshot)
    const etag = etagOfView(answer)
    services.polls.keep(ticket, { etag, epoch, unchangedMs: snapshot.unchangedMs })
    services.metrics.polls.inc({ decided_by: 'postgres' })
    return isFresh(ctx, etag) ? reply.notModified() : answer
  }
}

const isPolled = (path: string): path is PolledRoute =>
  (POLLED_ROUTES as readonly string[]).includes(path)

function hasBody({ headers }: Koa.Context['req']): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** The sign-in of a request by its cookie; undefined if there is none or Redis does not answer. */
async function signInOfCookie(
  { config, authSessions }: Services,
  ctx: Koa.Context,
): Promise<AuthSessionData | undefined> {
  const id = ctx.cookies.get(cookieName(config), { signed: true })
  // The route repeats a failed read and answers its error.
  return id ? authSessions.get(id, Date.now()).catch(() => undefined) : undefined
}

/**
 * Answers a poll 304 if its member's state is known to be unchanged (decision 17). It stands before
 * all middleware that a 304 does not need; every other request passes on.
 */
export function unchangedPolls(services: Services): Koa.Middleware {
  const { polls, metrics } = services
  return async (ctx, next) => {
    const { method, path } = ctx
    const ifNoneMatch = ctx.req.headers['if-none-match']
    if (!ifNoneMatch || method !== 'GET' || !isPolled(path) || hasBody(ctx.req)) return next()
    const { memberId, epoch } = (await signInOfCookie(services, ctx)) ?? {}
    if (memberId === undefined || epoch === undefined) return next()
    const etag = polls.currentEtag(path, memberId, epoch)
    if (!etag || !matchesEtag(ifNoneMatch, etag)) return next()
    metrics.polls.inc({ decided_by: 'memory' })
    // The name of the route in `http_request_seconds`.
    Object.assign(ctx, { _matchedRoute: path })
    ctx.set({ ETag: etag, 'Cache-Control': 'no-store' })
    ctx.status = 304
  }
}
