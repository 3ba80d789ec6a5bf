import { withoutBlanks } from '#contract/forms/fields'
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
import { authSession, browserId } from '#gateway/auth/auth-session'
import { routesOf } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { assertWork, networkBucket, ProofRequired } from '#gateway/security/proof-of-work'
import { ipBucket } from '#gateway/services/rate-limits'
import { languageOfRequest } from '#gateway/services/request-language'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { isCompleteCode, normalizeReferralCode } from '#rules/members/referral-code'
import { isUsername, normalizeEmail } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'

/** Counts a code for its address and network; a request that lacks the work counts for nothing. */
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

export const signUpRoutes = routesOf('account', {
  'GET /api/check/username/:username': {
    summary: 'Checks whether a user name is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx, params }) => {
      await services.limits.use('check-address', ipBucket(clientIp(ctx)))
      if (!isUsername(params.username))
        return { available: false, message: API_TEXTS.usernameInvalid }
      return checkUsername(services.db, params.username)
    },
  },
  'GET /api/check/email/:email': {
    summary: 'Checks whether an e-mail address is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx, params }) => {
      await services.limits.use('check-address', ipBucket(clientIp(ctx)))
      if (!/^[^@\s]+@[^@\s]+$/.test(params.email) || params.email.length > 254) {
        return { available: false, message: API_TEXTS.emailInvalid }
      }
      return checkEmail(services.db, params.email)
    },
  },
  'GET /api/check/referral-code/:code': {
    summary: 'Checks whether a referral code exists, and names its owner.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx, params }) => {
      const address = ipBucket(clientIp(ctx))
      await services.limits.use('check-address', address)
      const { inviter, ...check } = await checkReferralCode(services.db, params.code)
      // Tries are counted, not hits: guessing codes must not list the names of members.
      const isComplete = isCompleteCode(normalizeReferralCode(params.code))
      const namesInviter = isComplete && (await services.limits.tryUse('inviter-address', address))
      return namesInviter && inviter ? { ...check, inviter } : check
    },
  },
  'POST /api/verify/send-otp': {
    summary: 'Sends a code to an e-mail address before registration.',
    access: 'anyone',
    errors: ['email_refused', 'email_taken', 'otp_too_soon', 'proof_required', 'too_many_requests'],
    handle: async ({ services, ctx, body }) => {
      const { db, config } = services
      const asking = { email: body.email, purpose: 'register' as const, browserId: '' }
      await payForCode(services, clientIp(ctx), body, asking)
      // Afterwards: it stores a session, and refused requests have no limit.
      const owner = { ...asking, browserId: browserId(ctx) }
      await assertReachable(db, body.email)
      const { available } = await checkEmail(db, body.email)
      if (!available) throw new RuleError('email_taken', API_TEXTS.emailTaken)
      await inTransaction(db, async (tx) => {
        const code = await createCode(tx, config.dataKey, owner, config.otpPerEmailHour)
        const text = mailTexts(languageOfRequest(ctx)).verificationCode(code)
        await enqueueMail(tx, config.dataKey, { to: normalizeEmail(body.email), ...text })
      })
      return { ok: true, message: 'OTP code has been sent to your email' }
    },
  },
  'POST /api/verify/verify-otp': {
    summary: 'Verifies an e-mail address with its code.',
    access: 'anyone',
    errors: ['otp_invalid', 'otp_used_up', 'too_many_requests'],
    handle: async ({ services, ctx, body }) => {
      const { db, config, limits } = services
      await limits.use('otp-tries-address', ipBucket(clientIp(ctx)))
      const { browserId: id } = authSession(ctx)
      // It asked for no code. To give it an id would store a session.
      if (id === undefined) throw codeError('wrong')
      const owner = { email: body.email, purpose: 'register' as const, browserId: id }
      const result = await inTransaction(db, (tx) =>
        tryCode(tx, config.dataKey, owner, withoutBlanks(body.otp)),
      )
      if (result !== 'right') throw codeError(result)
      return { ok: true, message: 'OTP code has been verified successfully' }
    },
  },
})
