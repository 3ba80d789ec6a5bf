import type { Answers } from '#contract/routes'
import { notSignedIn } from '#db/members/member-lock'
import type { MemberSnapshot } from '#db/mining/snapshots'
import { authSession } from '#gateway/auth/auth-sessions/auth-session'
import type { RouteHandler } from '#gateway/http/route'
import type { PolledRoute } from '#gateway/polls/poll-cache'
import { isFresh } from './etag.ts'

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
