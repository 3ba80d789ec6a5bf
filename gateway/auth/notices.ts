import type Koa from 'koa'
import { enqueueMail } from '#db/mails'
import type { MemberRow } from '#db/members/members'
import { inTransaction } from '#db/postgres/transaction'
import { type NoticeFacts, newBrowserMail } from '#gateway/mails/notices'
import { queueMail } from '#gateway/mails/queue-mail'
import type { Services } from '#gateway/services/services'
import { placeOf } from './session-store.ts'

/** What a notice about this request names. */
export function noticeFacts({ config }: Services, ctx: Koa.Context, now: number): NoticeFacts {
  return { ...placeOf(ctx), now, origin: config.publicOrigins[0] }
}

/** Mails a member about a sign-in from a new browser, unless this hour's notices are used up. */
export async function notifyNewBrowser(
  services: Services,
  ctx: Koa.Context,
  member: Pick<MemberRow, 'id' | 'email'>,
  now: number,
): Promise<void> {
  const { db, config, limits } = services
  if (!(await limits.tryUse('login-notices-member', String(member.id)))) return
  const mail = newBrowserMail(member.email, noticeFacts(services, ctx, now))
  const mailId = await inTransaction(db, (tx) => enqueueMail(tx, config.dataKey, mail))
  await queueMail(services, mailId)
}
