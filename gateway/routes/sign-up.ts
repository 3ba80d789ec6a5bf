import type { BodyOf } from '#contract/routes'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import {
  assertMayAskAgain,
  type CodeOwner,
  codeError,
  createCode,
  tryCode,
} from '#db/members/email-codes'
import { checkEmail, checkUsername } from '#db/members/members'
import { assertReachable } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { checkReferralCode } from '#db/team/referrals'
import { browserId } from '#gateway/auth/auth-session'
import type { RouteHandler, Routes } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { assertWork, networkBucket, ProofRequired } from '#gateway/security/proof-of-work'
import { languageOfRequest, queueMail } from '#gateway/services/mails'
import { ipBucket } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { isCompleteCode, normalizeReferralCode } from '#rules/members/referral-code'
import { isUsername, normalizeEmail } from '#rules/members/usernames-and-emails'

/** Checks of the register form while a visitor types. */

const username: RouteHandler<'GET /api/check/username/:username'> = async (call) => {
  const { services, ctx, params } = call
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  if (!isUsername(params.username)) return { available: false, message: API_TEXTS.usernameInvalid }
  return checkUsername(services.db, params.username)
}

const email: RouteHandler<'GET /api/check/email/:email'> = async (call) => {
  const { services, ctx, params } = call
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  if (!/^[^@\s]+@[^@\s]+$/.test(params.email) || params.email.length > 254) {
    return { available: false, message: API_TEXTS.emailInvalid }
  }
  return checkEmail(services.db, params.email)
}

const referralCode: RouteHandler<'GET /api/check/referral-code/:code'> = async (call) => {
  const { services, ctx, params } = call
  const address = ipBucket(clientIp(ctx))
  await services.limits.use('check-address', address)
  const { inviter, ...check } = await checkReferralCode(services.db, params.code)
  // Tries are counted, not hits: guessing codes must not list the names of members.
  const isComplete = isCompleteCode(normalizeReferralCode(params.code))
  const namesInviter = isComplete && (await services.limits.tryUse('inviter-address', address))
  return namesInviter && inviter ? { ...check, inviter } : check
}

/** E-mail verification codes before registration. */

/**
 * Counts a code for its address and network; a request that lacks the work counts for nothing.
 * @throws {RuleError} `too_many_requests`, `otp_too_soon`, `proof_required`
 */
async function payForCode(
  services: Services,
  ip: string,
  body: BodyOf<'POST /api/verify/send-otp'>,
  owner: CodeOwner & { purpose: 'register' },
) {
  const { limits, db, config } = services
  const [bucket, network] = [ipBucket(ip), networkBucket(ip)]
  const uses = {
    bucket,
    address: await limits.use('otp-address', bucket),
    network: await limits.count('otp-network', network),
  }
  try {
    await assertWork(services, body, uses)
  } catch (error) {
    await limits.giveBack('otp-address', bucket)
    await limits.giveBack('otp-network', network)
    // Nobody computes a proof for a request that the minute between two codes refuses afterwards.
    if (error instanceof ProofRequired) await assertMayAskAgain(db, owner, config.otpPerEmailHour)
    throw error
  }
}

const sendOtp: RouteHandler<'POST /api/verify/send-otp'> = async (call) => {
  const { services, ctx, body } = call
  const { db, config } = services
  const owner = { email: body.email, purpose: 'register' as const, browserId: browserId(ctx) }
  await payForCode(services, clientIp(ctx), body, owner)
  await assertReachable(db, body.email)
  const mailId = await inTransaction(db, async (tx) => {
    const code = await createCode(tx, config.dataKey, owner, config.otpPerEmailHour)
    const text = mailTexts(languageOfRequest(ctx)).verificationCode(code)
    return enqueueMail(tx, config.dataKey, { to: normalizeEmail(body.email), ...text })
  })
  await queueMail(services, mailId)
  return { ok: true, message: 'OTP code has been sent to your email' }
}

const verifyOtp: RouteHandler<'POST /api/verify/verify-otp'> = async (call) => {
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

export const signUpRoutes = {
  'GET /api/check/username/:username': {
    tag: 'account',
    summary: 'Checks whether a user name is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: username,
  },
  'GET /api/check/email/:email': {
    tag: 'account',
    summary: 'Checks whether an e-mail address is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: email,
  },
  'GET /api/check/referral-code/:code': {
    tag: 'account',
    summary: 'Checks whether a referral code exists, and names its owner.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: referralCode,
  },
  'POST /api/verify/send-otp': {
    tag: 'account',
    summary: 'Sends a code to an e-mail address before registration.',
    access: 'anyone',
    errors: ['email_refused', 'otp_too_soon', 'proof_required', 'too_many_requests'],
    handle: sendOtp,
  },
  'POST /api/verify/verify-otp': {
    tag: 'account',
    summary: 'Verifies an e-mail address with its code.',
    access: 'anyone',
    errors: ['otp_invalid', 'otp_used_up', 'too_many_requests'],
    handle: verifyOtp,
  },
} satisfies Partial<Routes>
