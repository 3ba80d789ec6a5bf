import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { codeError, createCode, tryCode } from '#db/members/email-codes'
import { inTransaction } from '#db/postgres/statements/transaction'
import { browserId } from '#gateway/auth/auth-session'
import type { RouteHandler } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { languageOfRequest, queueMail } from '#gateway/services/mails'
import { ipBucket } from '#gateway/services/rate-limits'
import { normalizeEmail } from '#rules/members/identity'

/** E-mail verification codes before registration. */

export const sendOtp: RouteHandler<'POST /api/verify/send-otp'> = async (call) => {
  const { services, ctx, body } = call
  const { db, config, limits } = services
  await limits.use('otp-address', ipBucket(clientIp(ctx)))
  const owner = { email: body.email, purpose: 'register' as const, browserId: browserId(ctx) }
  const mailId = await inTransaction(db, async (tx) => {
    const code = await createCode(tx, config.dataKey, owner, config.otpPerEmailHour)
    const text = mailTexts(languageOfRequest(ctx)).verificationCode(code)
    return enqueueMail(tx, config.dataKey, { to: normalizeEmail(body.email), ...text })
  })
  await queueMail(services, mailId)
  return { ok: true, message: 'OTP code has been sent to your email' }
}

export const verifyOtp: RouteHandler<'POST /api/verify/verify-otp'> = async (call) => {
  const { services, ctx, body } = call
  const { db, config, limits } = services
  await limits.use('otp-tries-address', ipBucket(clientIp(ctx)))
  const owner = { email: body.email, purpose: 'register' as const, browserId: browserId(ctx) }
  const result = await inTransaction(db, (tx) =>
    tryCode(tx, config.dataKey, owner, body.otp.trim()),
  )
  if (result !== 'right') throw codeError(result)
  return { ok: true, message: 'OTP code has been verified successfully' }
}
