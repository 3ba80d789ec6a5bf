import { withoutBlanks } from '#contract/forms/fields'
import type { Answers } from '#contract/routes'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { codeError, createCode } from '#db/members/email-codes'
import { executeOnce, lockAnswer, storedAnswer } from '#db/members/execute-once'
import { memberByIdentifier } from '#db/members/members'
import { changePassword, type EpochOwner, resetPassword } from '#db/members/password'
import { hasSecondFactor } from '#db/members/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { authSession, browserId, requestSignInName } from '#gateway/auth/auth-session'
import { keepOnlyThisSignIn } from '#gateway/auth/complete-sign-in'
import {
  knownDevice,
  renewDeviceCookie,
  setDeviceCookie,
  signInsOf,
} from '#gateway/auth/device-cookie'
import { confirmPassword, hashPassword, hideDuration } from '#gateway/auth/passwords'
import { noticeFacts } from '#gateway/auth/security-notices'
import { idempotencyKeyOf, type RouteHandler, routesOf, signInOf } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { networkBucket } from '#gateway/security/proof-of-work'
import { ipBucket } from '#gateway/services/rate-limits'
import { languageFor } from '#gateway/services/request-language'
import type { Services } from '#gateway/services/services'

/** A person who knew the old password may have used up the limit of the member's sign-ins. */
const forgetSignIns = ({ limits }: Services, memberId: number) =>
  Promise.all(
    [true, false].map((isKnown) => limits.reset('login-member', signInsOf(memberId, isKnown))),
  )

type Changed = Answers['POST /api/user/password']

/** Not a `command()`: a repetition is answered before the old password is checked; Argon2 holds no transaction. */
const change: RouteHandler<'POST /api/user/password'> = async ({ services, ctx, body, now }) => {
  const { db, config, memberMutex, log } = services
  const key = idempotencyKeyOf(ctx)
  const signIn = await signInOf(services, ctx)
  const { memberId } = signIn
  const request = { signIn, route: 'POST /api/user/password', key }
  const stored = await storedAnswer<Changed>(db, request)
  if (stored) {
    await lockAnswer(db, memberId, key)
    return stored.answer
  }
  await confirmPassword(services, ctx, memberId, body.password)
  const passwordHash = await hashPassword(body.newPassword, config)
  const facts = noticeFacts(services, ctx, now)
  const { answer, changed } = await memberMutex.run(memberId, () =>
    inTransaction(db, async (tx) => {
      // Empty if a parallel request with the same key changed the password.
      const owners: EpochOwner[] = []
      const answer = await executeOnce<Changed>(tx, request, async () => {
        const kept = { passwordHash, keptSignIn: requestSignInName(ctx) }
        const member = await changePassword(tx, signIn, kept)
        const text = mailTexts(languageFor(ctx, member)).newPassword('changed', facts)
        const mail = { to: member.email, ...text }
        await enqueueMail(tx, config.dataKey, mail)
        owners.push(member)
        return { success: true, message: 'Your password has been changed' }
      })
      return { answer, changed: owners[0] }
    }),
  )
  if (changed) {
    log.info({ ip: clientIp(ctx), memberId }, 'password changed')
    await keepOnlyThisSignIn(services, ctx, changed, { reason: 'password-reset', now })
    await forgetSignIns(services, memberId)
  }
  return answer
}

export const passwordRoutes = routesOf('password', {
  'POST /api/user/password': {
    summary: 'Changes the password and ends every other sign-in of the member.',
    idempotent: true,
    errors: ['wrong_password'],
    handle: change,
  },
  'POST /api/password/forgot': {
    summary:
      'Sends a code for a new password; the answer does not reveal whether the e-mail address is registered.',
    access: 'anyone',
    errors: ['otp_too_soon', 'too_many_requests'],
    handle: async ({ services, ctx, body }) => {
      const { db, config, limits } = services
      const ip = clientIp(ctx)
      await limits.use('otp-address', ipBucket(ip))
      await limits.use('session-network', networkBucket(ip))
      const owner = { email: body.email, purpose: 'reset' as const, browserId: browserId(ctx) }
      const known = await memberByIdentifier(db, body.email)
      // A browser with a device cookie is counted separately, so strangers cannot use up its limit.
      const device = knownDevice(services, ctx, known)
      if (device) await limits.use('otp-device', device)
      const send = () =>
        inTransaction(db, async (tx) => {
          const counted = device ? 'browser' : 'email'
          // An unregistered e-mail gets a code that is not sent, so that the same limits apply to it.
          const code = await createCode(tx, config.dataKey, owner, config.otpPerEmailHour, counted)
          // Behind the lock of its codes, which a deletion holds: a member who is deleted meanwhile gets no mail.
          const member = await memberByIdentifier(tx, body.email)
          if (!member) return
          const text = mailTexts(languageFor(ctx, member)).resetCode(code)
          await enqueueMail(tx, config.dataKey, { to: member.email, ...text })
        }).catch(async (error) => {
          if (device) await limits.giveBack('otp-device', device)
          throw error
        })
      await hideDuration(send())
      const message = 'If your email is registered, you will receive password reset instructions'
      return { success: true, message }
    },
  },
  'POST /api/password/reset': {
    summary: 'Sets a new password with the code from the mail and ends every sign-in.',
    access: 'anyone',
    errors: ['otp_invalid', 'otp_used_up', 'too_many_requests'],
    handle: async ({ services, ctx, body, now }) => {
      const { db, config, limits, changes, log } = services
      await limits.use('otp-tries-address', ipBucket(clientIp(ctx)))
      const { browserId: id } = authSession(ctx)
      if (id === undefined) throw codeError('wrong')
      await limits.use('password-network', networkBucket(clientIp(ctx)))
      const passwordHash = await hashPassword(body.newPassword, config)
      const { email } = body
      const attempt = { email, otp: withoutBlanks(body.otp), passwordHash, browserId: id }
      const facts = noticeFacts(services, ctx, now)
      const member = await inTransaction(db, async (tx) => {
        const member = await resetPassword(tx, config.dataKey, attempt)
        if (typeof member !== 'object') return member
        const text = mailTexts(languageFor(ctx, member)).newPassword('reset', facts)
        await enqueueMail(tx, config.dataKey, { to: member.email, ...text })
        return member
      })
      if (typeof member !== 'object') throw codeError(member ?? 'wrong')
      const memberId = member.id
      // The code of the mail is one factor: with one-time codes it makes no browser known.
      const isKnown = renewDeviceCookie(services, ctx, member)
      if (!isKnown && !(await hasSecondFactor(db, memberId))) setDeviceCookie(services, ctx, member)
      await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId })
      await forgetSignIns(services, memberId)
      log.info({ ip: clientIp(ctx), memberId }, 'password reset')
      return { success: true, message: 'You can now log in with your new password' }
    },
  },
})
