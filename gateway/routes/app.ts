import { flagsFor, minimumVersion } from '#db/app-info'
import { cancelKey, lockSignedIn } from '#db/members/execute-once'
import { inTransaction } from '#db/postgres/statements/transaction'
import { authSession } from '#gateway/auth/auth-session'
import { limitCommands, routesOf, signedIn } from '#gateway/http/route'

export const appRoutes = routesOf('app', {
  /** Not in the mutex of commands, because it must not wait behind the command that it cancels. */
  'POST /api/commands/cancel': {
    summary:
      'Spends the key of a command whose outcome is unknown: `cancelled: false` if it took effect before, otherwise it never does.',
    errors: ['too_many_requests'],
    handle: signedIn(async ({ services, memberId, signIn, body }) => {
      const countSuccess = await limitCommands(services, signIn)
      const outcome = await services.cancelMutex.run(memberId, () =>
        inTransaction(services.db, async (tx) => {
          await lockSignedIn(tx, signIn)
          return cancelKey(tx, memberId, body.key)
        }),
      )
      countSuccess()
      return outcome
    }),
  },
  'GET /api/app': {
    summary:
      'Reads the feature flags, the minimum client version, the pages of the tasks and the links of the operator.',
    access: 'anyone',
    handle: async ({ services, ctx, query }) => {
      const { memberId } = authSession(ctx)
      const { supportUrl, termsUrl, privacyUrl } = services.config
      return {
        flags: await flagsFor(services.db, memberId, query.version),
        minimumVersion: await minimumVersion(services.db),
        taskLinks: services.config.taskLinks,
        links: { support: supportUrl, terms: termsUrl, privacy: privacyUrl },
      }
    },
  },
})
