import { userView } from '#db/members/members'
import { useFactorCode } from '#db/members/second-factor/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { limitsOfSignIn } from '#gateway/auth/auth-sessions/device-cookie'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { enqueueFactorNotice } from '#gateway/auth/notices'
import { countedTry } from '#gateway/auth/second-factor/counted-try'
import { readSecondStep } from '#gateway/auth/second-factor/second-step'
import type { RouteHandler } from '#gateway/http/route'
import { queueMail } from '#gateway/mails/queue-mail'

/** The second step of a sign-in with the password: a code of the app, or a recovery code. */
export const login: RouteHandler<'POST /api/login/second-factor'> = async (call) => {
  const { services, ctx, body, now } = call
  const { db, config, limits } = services
  const { member, remember } = await readSecondStep(services, ctx, now)
  const notice = { member, now }
  const verifyCode = () =>
    inTransaction(db, async (tx) => {
      const code = { memberId: member.id, code: body.code, now }
      const { kind } = await useFactorCode(tx, config.dataKey, code)
      if (kind === 'code') return undefined
      return enqueueFactorNotice(tx, services, ctx, { ...notice, change: 'recoveryUsed' })
    })
  const warnOwner = async () => {
    // Parallel guesses may all be the last one.
    if (!(await limits.tryUse('second-factor-notices-member', String(member.id)))) return
    const warning = { ...notice, change: 'codeGuessed' } as const
    const mail = await inTransaction(db, (tx) => enqueueFactorNotice(tx, services, ctx, warning))
    await queueMail(services, mail)
  }
  const mailId = await countedTry(services, ctx, member, verifyCode, warnOwner)
  if (mailId !== undefined) await queueMail(services, mailId)
  await completeSignIn(services, ctx, member, { remember, now })
  await limits.reset(...limitsOfSignIn(services, ctx, member, '').counts[0])
  return userView(member)
}
