import { userView } from '#db/members/members'
import { inTransaction } from '#db/postgres/statements/transaction'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { limitsOfSignIn } from '#gateway/auth/device-cookie'
import { enqueueFactorNotice } from '#gateway/auth/notices'
import { readSecondStep, useCode } from '#gateway/auth/second-factor'
import type { RouteHandler } from '#gateway/http/route'
import { queueMail } from '#gateway/services/mails'

/** The second step of a sign-in with the password: a code of the app, or a recovery code. */
export const login: RouteHandler<'POST /api/login/second-factor'> = async (call) => {
  const { services, ctx, body, now } = call
  const { db, limits } = services
  const { member, remember } = await readSecondStep(services, ctx, now)
  const warnOwner = async () => {
    // Parallel guesses may all be the last one.
    if (!(await limits.tryUse('second-factor-notices-member', String(member.id)))) return
    const warning = { member, now, change: 'codeGuessed' } as const
    const mail = await inTransaction(db, (tx) => enqueueFactorNotice(tx, services, ctx, warning))
    await queueMail(services, mail)
  }
  await useCode(services, ctx, { member, code: body.code, now }, warnOwner)
  await completeSignIn(services, ctx, member, { remember, now })
  await limits.reset(...limitsOfSignIn(services, ctx, member, '').counts[0])
  return userView(member)
}
