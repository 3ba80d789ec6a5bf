import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { codeError, createCode } from '#db/members/email-codes'
import { memberByIdentifier } from '#db/members/members'
import { resetPassword } from '#db/members/password-reset'
import { inTransaction } from '#db/postgres/statements/transaction'
import { browserId } from '#gateway/auth/auth-session'
import { readDeviceCookie, setDeviceCookie } from '#gateway/auth/device-cookie'
import { noticeFacts } from '#gateway/auth/notices'
import { hashPassword, hideDuration } from '#gateway/auth/passwords'
import type { RouteHandler } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { mailLanguage, queueMail } from '#gateway/services/mails'
import { ipBucket } from '#gateway/services/rate-limits'

/** Password reset by e-mail; no answer reveals whether an e-mail is registered. */

export const forgot: RouteHandler<'POST /api/password/forgot'> = async (call) => {
  const { services, ctx, body } = call
  const { db, config, limits } = services
  await limits.use('otp-address', ipBucket(clientIp(ctx)))
  const owner = { email: body.email, purpose: 'reset' as const, browserId: browserId(ctx) }
  const send = inTransaction(db, async (tx) => {
    const member = await memberByIdentifier(tx, body.email)
    // A browser with a device cookie is counted separately, so strangers cannot use up its limit.
    const counted = readDeviceCookie(services, ctx, member) ? 'browser' : 'email'
    // An unregistered e-mail gets a code that is not sent, so that the same limits apply to it.
    const code = await createCode(tx, config.dataKey, owner, config.otpPerEmailHour, counted)
    if (!member) return undefined
    const text = mailTexts(mailLanguage(ctx, member)).resetCode(code)
    return enqueueMail(tx, config.dataKey, { to: member.email, ...text })
  }).then((mailId) => (mailId === undefined ? undefined : queueMail(services, mailId)))
  await hideDuration(send)
  const message = 'If your email is registered, you will receive password reset instructions'
  return { success: true, message }
}

export const reset: RouteHandler<'POST /api/password/reset'> = async (call) => {
  const { services, ctx, body, now } = call
  const { db, config, limits, changes, log } = services
  await limits.use('otp-tries-address', ipBucket(clientIp(ctx)))
  const passwordHash = await hashPassword(body.newPassword, config)
  const { email } = body
  const attempt = { email, otp: body.otp.trim(), passwordHash, browserId: browserId(ctx) }
  const facts = noticeFacts(services, ctx, now)
  const result = await inTransaction(db, async (tx) => {
    const member = await resetPassword(tx, config.dataKey, attempt)
    if (typeof member !== 'object') return member
    const text = mailTexts(mailLanguage(ctx, member)).newPassword('reset', facts)
    const mail = { to: member.email, ...text }
    return { member, mailId: await enqueueMail(tx, config.dataKey, mail) }
  })
  if (typeof result !== 'object') throw codeError(result ?? 'wrong')
  const { member, mailId } = result
  await queueMail(services, mailId)
  const memberId = member.id
  setDeviceCookie(services, ctx, member)
  await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId })
  log.info({ ip: clientIp(ctx), memberId }, 'password reset')
  return { success: true, message: 'You can now log in with your new password' }
}
