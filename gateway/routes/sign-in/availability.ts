import { checkEmail, checkUsername } from '#db/members/members'
import { checkReferralCode } from '#db/team/referrals'
import type { RouteHandler } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'
import { isUsername } from '#rules/members/identity'
import { isCompleteCode, normalizeReferralCode } from '#rules/members/referral-code'

/** Checks of the register form while a visitor types. */

export const username: RouteHandler<'GET /api/check/username/:username'> = async (call) => {
  const { services, ctx, params } = call
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  if (!isUsername(params.username)) return { available: false, message: 'Invalid username' }
  return checkUsername(services.db, params.username)
}

export const email: RouteHandler<'GET /api/check/email/:email'> = async (call) => {
  const { services, ctx, params } = call
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  if (!/^[^@\s]+@[^@\s]+$/.test(params.email) || params.email.length > 254) {
    return { available: false, message: 'Invalid email address' }
  }
  return checkEmail(services.db, params.email)
}

export const referralCode: RouteHandler<'GET /api/check/referral-code/:code'> = async (call) => {
  const { services, ctx, params } = call
  const address = ipBucket(clientIp(ctx))
  await services.limits.use('check-address', address)
  const { inviter, ...check } = await checkReferralCode(services.db, params.code)
  // Tries are counted, not hits: guessing codes must not list the names of members.
  const isComplete = isCompleteCode(normalizeReferralCode(params.code))
  const namesInviter = isComplete && (await services.limits.tryUse('inviter-address', address))
  return namesInviter && inviter ? { ...check, inviter } : check
}
