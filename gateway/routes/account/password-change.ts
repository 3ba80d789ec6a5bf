import type { Answers } from '#contract/routes'
import { lockAnswer } from '#db/ledger/idempotency'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { changePassword, type EpochOwner } from '#db/members/password-change'
import { runCommand, storedAnswer } from '#db/members/run-command'
import { inTransaction } from '#db/postgres/statements/transaction'
import { requestSignInName } from '#gateway/auth/auth-session'
import { keepOnlyThisSignIn } from '#gateway/auth/complete-sign-in'
import { noticeFacts } from '#gateway/auth/notices'
import { confirmPassword, hashPassword } from '#gateway/auth/passwords'
import { idempotencyKeyOf, type RouteHandler, signInOf } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { mailLanguage, queueMail } from '#gateway/services/mails'

type Changed = Answers['POST /api/user/password']
/** What this request changed; absent if a parallel request with the same key did. */
type Effect = { member: EpochOwner; mailId: number }

/**
 * A new password with the old one; ends all other sign-ins. Not a `command()`: a repeated request is
 * answered before the old password is checked, and Argon2 holds no transaction open.
 */
export const change: RouteHandler<'POST /api/user/password'> = async (call) => {
  const { services, ctx, body, now } = call
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
  await confirmPassword(services, memberId, body.password)
  const passwordHash = await hashPassword(body.newPassword, config)
  const facts = noticeFacts(services, ctx, now)
  const { answer, effect } = await memberMutex.run(memberId, () =>
    inTransaction(db, async (tx) => {
      const effects: Effect[] = []
      const answer = await runCommand<Changed>(tx, request, async () => {
        const kept = { passwordHash, keptSignIn: requestSignInName(ctx) }
        const member = await changePassword(tx, memberId, kept)
        const text = mailTexts(mailLanguage(ctx, member)).newPassword('changed', facts)
        const mail = { to: member.email, ...text }
        effects.push({ member, mailId: await enqueueMail(tx, config.dataKey, mail) })
        return { success: true, message: 'Your password has been changed' }
      })
      return { answer, effect: effects[0] }
    }),
  )
  if (effect) {
    await keepOnlyThisSignIn(services, ctx, effect.member, { reason: 'password-reset', now })
    await queueMail(services, effect.mailId)
    log.info({ ip: clientIp(ctx), memberId }, 'password changed')
  }
  return answer
}
