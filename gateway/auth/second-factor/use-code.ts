import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import { useFactorCode } from '#db/members/second-factor/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { enqueueFactorNotice } from '#gateway/auth/notices'
import { queueMail } from '#gateway/mails/queue-mail'
import type { Services } from '#gateway/services/services'
import { countedTry } from './counted-try.ts'

type CodeTry = { member: MemberRow; code: string; now: number }

/**
 * Uses a code of the app or a recovery code as a counted try; a used recovery code is announced by mail.
 * @param now real time, ms
 * @param onUsedUp called after the last wrong try that the limit permits
 * @throws {RuleError} `second_factor_invalid`, `second_factor_off`, `too_many_requests`
 */
export async function useCode(
  services: Services,
  ctx: Koa.Context,
  { member, code, now }: CodeTry,
  onUsedUp?: () => Promise<void>,
): Promise<void> {
  const { db, config } = services
  const verifyCode = () =>
    inTransaction(db, async (tx) => {
      const { kind } = await useFactorCode(tx, config.dataKey, { memberId: member.id, code, now })
      if (kind === 'code') return undefined
      return enqueueFactorNotice(tx, services, ctx, { member, now, change: 'recoveryUsed' })
    })
  const mailId = await countedTry(services, ctx, member, verifyCode, onUsedUp)
  if (mailId !== undefined) await queueMail(services, mailId)
}
