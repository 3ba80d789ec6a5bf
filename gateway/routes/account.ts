import { memberById, memberByIdentifier, registerMember, userView } from '#db/members/members'
import { inTransaction } from '#db/postgres/statements/transaction'
import { removeSubscription } from '#db/reminders/push-subscriptions'
import {
  assertNotFrozen,
  authSession,
  endOfSignIn,
  requestSignInName,
  signIn,
  signOut,
} from '#gateway/auth/auth-session'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { limitsOfSignIn, setDeviceCookie, signInsOf } from '#gateway/auth/device-cookie'
import { hashPassword, passwordFits } from '#gateway/auth/passwords'
import { awaitSecondStep } from '#gateway/auth/second-factor'
import { assertSignInCode } from '#gateway/auth/sign-in-code'
import { type RouteHandler, routesOf } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { networkBucket } from '#gateway/security/proof-of-work'
import { ipBucket } from '#gateway/services/rate-limits'
import { languageOfRequest } from '#gateway/services/request-language'
import { usernameKey } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'

const login: RouteHandler<'POST /api/login'> = async ({ services, ctx, body, now }) => {
  const { db, config, limits, log } = services
  const { identifier, password, otp } = body
  const ip = clientIp(ctx)
  const member = await memberByIdentifier(db, identifier)
  const { counts, total } = limitsOfSignIn(services, ctx, member, usernameKey(identifier))
  const checkLimits = () => Promise.all(counts.map((count) => limits.check(...count)))
  const countFailure = async () => {
    log.info({ ip, memberId: member?.id }, 'sign-in failed')
    await Promise.all(counts.map((count) => limits.use(...count)))
  }
  await checkLimits()
  await limits.use('login-tries', counts[0][1])
  const isKnown = total === undefined
  if (!isKnown) await limits.use('password-network', networkBucket(ip))
  if (member) await limits.check('login-member', signInsOf(member.id, isKnown))
  const fits = await passwordFits(member?.password, password, config)
  // A wrong password is counted before it is answered: parallel guesses get no further answers.
  const needsCode =
    !isKnown && (fits ? await limits.isUsedUp(...total) : !(await limits.tryUse(...total)))
  if (needsCode) {
    const attempt = { member, identifier, passwordFits: fits, otp }
    await assertSignInCode(services, ctx, attempt).catch(async (error) => {
      if (error instanceof RuleError) await countFailure()
      throw error
    })
  }
  if (!fits || !member) {
    await countFailure()
    throw new RuleError('wrong_credentials', 'Invalid username or password')
  }
  // Parallel guesses may have used up the limit while this password was being verified.
  await checkLimits()
  await limits.use('login-member', signInsOf(member.id, isKnown))
  assertNotFrozen(member)
  const options = { remember: body.rememberMe ?? false, now }
  await awaitSecondStep(services, ctx, member, options)
  await completeSignIn(services, ctx, member, options)
  await limits.reset(...counts[0])
  return userView(member)
}

export const accountRoutes = routesOf('account', {
  /** A rejection says why the sign-in has ended, if the gateway knows. */
  'GET /api/user': {
    summary: 'Reads the signed-in member.',
    handle: async ({ services, ctx }) => {
      const { memberId, epoch } = authSession(ctx)
      const member = memberId === undefined ? undefined : await memberById(services.db, memberId)
      if (member && member.authEpoch === epoch) return userView(member)
      const reason = await endOfSignIn(services, ctx)
      throw new RuleError('not_signed_in', 'Please sign in', undefined, reason && { reason })
    },
  },
  'POST /api/login': {
    summary: 'Signs a member in and sets the session cookie.',
    access: 'anyone',
    errors: [
      'wrong_credentials',
      'account_frozen',
      'otp_required',
      'otp_invalid',
      'otp_used_up',
      'second_factor_required',
      'too_many_requests',
    ],
    handle: login,
  },
  'POST /api/register': {
    summary: 'Creates a member whose e-mail this browser has verified, and signs them in.',
    access: 'anyone',
    errors: [
      'email_not_verified',
      'username_taken',
      'email_taken',
      'referral_unknown',
      'referral_refused',
      'too_many_requests',
    ],
    handle: async ({ services, ctx, body, now }) => {
      await services.limits.use('register-address', ipBucket(clientIp(ctx)))
      await services.limits.use('password-network', networkBucket(clientIp(ctx)))
      const passwordHash = await hashPassword(body.password, services.config)
      const { username, email, referralCode } = body
      const registration = {
        username,
        email,
        referralCode,
        passwordHash,
        language: languageOfRequest(ctx),
        // A browser without an id has verified nothing; to give it one would store a session.
        browserId: authSession(ctx).browserId ?? '',
      }
      const { member, referrerId } = await inTransaction(services.db, (tx) =>
        registerMember(tx, registration),
      )
      if (referrerId !== undefined) {
        await services.changes.publishMembers([referrerId], ['team', 'mining', 'wallet', 'inbox'])
      }
      await signIn(services, ctx, member, { remember: false, now })
      setDeviceCookie(services, ctx, member)
      services.log.info({ ip: clientIp(ctx), memberId: member.id }, 'registered')
      return userView(member)
    },
  },
  'POST /api/logout': {
    summary: 'Ends the sign-in of this browser.',
    access: 'anyone',
    handle: async ({ services, ctx }) => {
      const { memberId } = authSession(ctx)
      const signInName = requestSignInName(ctx)
      if (signInName && memberId !== undefined) {
        // The browser ends its subscription too, so a failure only leaves an address without a device.
        await removeSubscription(services.db, memberId, { signInName }).catch((err) =>
          services.log.warn(
            { err },
            'push subscription not deleted at sign-out; its next push does it',
          ),
        )
        // Published once it is true, because other tabs react.
        await services.authSessions.end(signInName)
        await services.changes.publish({ kind: 'signed-out', reason: 'logout', signInName })
      }
      signOut(ctx)
      return { ok: true }
    },
  },
})
