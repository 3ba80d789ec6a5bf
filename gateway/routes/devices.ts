import { endSignIns } from '#db/members/password'
import { inTransaction } from '#db/postgres/statements/transaction'
import { removeSubscription } from '#db/reminders/push-subscriptions'
import { requestSignInName } from '#gateway/auth/auth-session'
import { keepOnlyThisSignIn } from '#gateway/auth/complete-sign-in'
import { confirmPassword } from '#gateway/auth/passwords'
import { routesOf, signedIn } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'

const isoTime = (ms: number) => new Date(ms).toISOString()

/** Ending a sign-in takes the password (ASVS 7.5.2). */
export const deviceRoutes = routesOf('account', {
  'GET /api/user/sign-ins': {
    summary: 'Lists the sign-ins of the member, the newest first.',
    handle: signedIn(async ({ services, ctx, now, signIn: { memberId, epoch = 0 } }) => {
      const own = requestSignInName(ctx)
      const listed = await services.devices.read(memberId, epoch, now)
      return {
        signIns: listed.map(({ name, device, network, signedInAt, at }) => ({
          id: name,
          device,
          network,
          signedInAt: isoTime(signedInAt),
          lastSeenAt: isoTime(at),
          current: name === own,
        })),
      }
    }),
  },
  'POST /api/user/sign-ins/end': {
    summary: 'Ends one sign-in of the member; one that has ended already is answered the same.',
    errors: ['wrong_password', 'too_many_requests'],
    handle: signedIn(async ({ services, ctx, memberId, body, now }) => {
      const { password, signInId: signInName } = body
      await confirmPassword(services, ctx, memberId, password)
      // First: a repeated request, after a fault, does not get beyond the end of the sign-in.
      await removeSubscription(services.db, memberId, { signInName })
      // Without an effect the answer is the same: a repeated request finds the sign-in ended.
      if (await services.devices.end(memberId, signInName, now)) {
        services.log.info({ ip: clientIp(ctx), memberId }, 'sign-in ended by the member')
        await services.changes.publish({ kind: 'signed-out', reason: 'ended', signInName })
      }
      return { success: true, message: 'The sign-in has ended' }
    }),
  },
  'POST /api/user/sign-ins/end-others': {
    summary: 'Ends every sign-in of the member except the one of this browser.',
    errors: ['wrong_password', 'too_many_requests'],
    handle: signedIn(async ({ services, ctx, memberId, signIn, body, now }) => {
      const { db, memberMutex, log } = services
      await confirmPassword(services, ctx, memberId, body.password)
      const member = await memberMutex.run(memberId, () =>
        inTransaction(db, (tx) => endSignIns(tx, signIn, requestSignInName(ctx))),
      )
      await keepOnlyThisSignIn(services, ctx, member, { reason: 'ended', now })
      log.info({ ip: clientIp(ctx), memberId }, 'other sign-ins ended by the member')
      return { success: true, message: 'All other sign-ins have ended' }
    }),
  },
})
