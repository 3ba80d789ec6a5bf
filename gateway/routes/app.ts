import { flagsFor, minimumVersion } from '#db/app-info'
import { authSession } from '#gateway/auth/auth-session'
import type { RouteHandler } from '#gateway/http/route'

/** What the app needs to know before anything else; also for visitors. */
export const appInfo: RouteHandler<'GET /api/app'> = async ({ services, ctx, query }) => {
  const { memberId } = authSession(ctx)
  return {
    flags: await flagsFor(services.db, memberId, query.version),
    minimumVersion: await minimumVersion(services.db),
    taskLinks: services.config.taskLinks,
  }
}
