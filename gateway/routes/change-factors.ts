import type Koa from 'koa'
import type { FactorChange } from '#db/mail-texts/en'
import { lockSignedIn, notSignedIn } from '#db/members/execute-once'
import { type MemberRow, memberById } from '#db/members/members'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { enqueueFactorNotice } from '#gateway/auth/security-notices'
import { signInOf } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import type { Services } from '#gateway/services/services'

type FactorsCall = { services: Services; ctx: Koa.Context; now: number }

export async function signedInMember({ services, ctx }: FactorsCall): Promise<MemberRow> {
  const { memberId, epoch } = await signInOf(services, ctx)
  const member = await memberById(services.db, memberId)
  if (!member || member.authEpoch !== epoch) throw notSignedIn()
  return member
}

/** Under the member's lock, with a mail to the member. The caller has confirmed the password. */
export async function changeFactors<T>(
  { services, ctx, now }: FactorsCall,
  member: MemberRow,
  change: FactorChange,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { db, memberMutex, log } = services
  const { id: memberId, authEpoch: epoch } = member
  const result = await memberMutex.run(memberId, () =>
    inTransaction(db, async (tx) => {
      await lockSignedIn(tx, { memberId, epoch })
      const result = await work(tx)
      await enqueueFactorNotice(tx, services, ctx, { member, change, now })
      return result
    }),
  )
  log.info({ ip: clientIp(ctx), memberId, change }, 'sign-in factors changed by the member')
  return result
}
