import type Koa from 'koa'
import { withoutBlanks } from '#contract/forms/fields'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { type CodeOwner, codeError, replaceCode, tryCode } from '#db/members/email-codes'
import { readEpoch } from '#db/members/execute-once'
import type { MemberRow } from '#db/members/members'
import { inTransaction } from '#db/postgres/statements/transaction'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'
import { languageFor } from '#gateway/services/request-language'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { authSession, browserId } from './auth-session.ts'
import { hideDuration } from './passwords.ts'

type CodeAttempt = {
  member: MemberRow | undefined
  identifier: string
  passwordFits: boolean
  otp: string | undefined
}

const codeRequired = () =>
  new RuleError(
    'otp_required',
    'Too many failed logins. If the password is right, we have sent a code to your email: enter it to log in.',
  )

const ownerOf = (ctx: Koa.Context, { member, identifier, otp }: CodeAttempt): CodeOwner => ({
  email: member?.email ?? identifier,
  purpose: 'sign-in',
  // A code that is tried belongs to a browser that has an id; to give it one would store a session.
  browserId: otp ? (authSession(ctx).browserId ?? '') : browserId(ctx),
})

async function sendCode(
  services: Services,
  ctx: Koa.Context,
  owner: CodeOwner,
  attempt: CodeAttempt,
): Promise<void> {
  const { db, config, limits } = services
  const { member, passwordFits } = attempt
  const isMailed =
    member && passwordFits && (await limits.tryUse('login-codes-member', String(member.id)))
  const language = languageFor(ctx, member)
  await inTransaction(db, async (tx) => {
    // Without a mail the code exists too, so that five wrong tries get the same answers.
    const code = await replaceCode(tx, config.dataKey, owner)
    // The epoch rises with a deletion and a change of the address.
    if (!isMailed || (await readEpoch(tx, member.id))?.authEpoch !== member.authEpoch) return
    const text = mailTexts(language).signInCode(code)
    await enqueueMail(tx, config.dataKey, { to: member.email, ...text })
  })
}

/**
 * The mail is sent only after the right password, so strangers cannot use up the member's mails. Everything
 * else is the same for a right password, a wrong one and an unknown name, so no answer reveals which it was.
 * @throws {RuleError} `otp_required`, `otp_invalid`, `otp_used_up`, `too_many_requests`
 */
export async function assertSignInCode(
  services: Services,
  ctx: Koa.Context,
  attempt: CodeAttempt,
): Promise<void> {
  const { db, config, limits } = services
  const owner = ownerOf(ctx, attempt)
  const otp = attempt.otp && withoutBlanks(attempt.otp)
  if (!otp) {
    await hideDuration(sendCode(services, ctx, owner, attempt))
    throw codeRequired()
  }
  await limits.use('otp-tries-address', ipBucket(clientIp(ctx)))
  const result = await inTransaction(db, (tx) => tryCode(tx, config.dataKey, owner, otp))
  if (result === 'right' && attempt.passwordFits) return
  throw codeError(result === 'right' ? 'wrong' : result)
}
