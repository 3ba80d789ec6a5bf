import { flagsFor, minimumVersion } from '#db/app-info'
import { authSession } from '#gateway/auth/auth-session'
import type { RouteHandler } from '#gateway/http/route'

/** Feature flags, minimum version and task links; visitors may read them too. */
export const appInfo: RouteHandler<'GET /api/app'> = async ({ services, ctx, query }) => {
  const { memberId } = authSession(ctx)
  return {
    flags: await flagsFor(services.db, memberId, query.version),
    minimumVersion: await minimumVersion(services.db),
    taskLinks: services.config.taskLinks,
  }
}
