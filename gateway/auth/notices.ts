import type Koa from 'koa'
import type { FactorChange, RequestFacts } from '#db/mail-texts/mail-text'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import type { MemberRow } from '#db/members/members'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { mailLanguage, queueMail } from '#gateway/services/mails'
import type { Services } from '#gateway/services/services'
import { placeOf } from './auth-session.ts'

/** What a notice about this request names. */
export function noticeFacts({ config }: Services, ctx: Koa.Context, now: number): RequestFacts {
  return { ...placeOf(ctx), now, origin: config.publicOrigins[0] }
}

/** Whom a notice is for. */
export type NoticeOwner = Pick<MemberRow, 'id' | 'email' | 'language'>

/** Writes the mail about a changed way to sign in; the caller queues it after the commit. */
export async function enqueueFactorNotice(
  tx: Tx,
  services: Services,
  ctx: Koa.Context,
  { member, change, now }: { member: NoticeOwner; change: FactorChange; now: number },
): Promise<number> {
  const texts = mailTexts(mailLanguage(ctx, member))
  const text = texts.factorChanged(change, noticeFacts(services, ctx, now))
  return enqueueMail(tx, services.config.dataKey, { to: member.email, ...text })
}

/** Mails a member about a sign-in from a new browser, unless this hour's notices are used up. */
export async function notifyNewBrowser(
  services: Services,
  ctx: Koa.Context,
  member: NoticeOwner,
  now: number,
): Promise<void> {
  const { db, config, limits } = services
  if (!(await limits.tryUse('login-notices-member', String(member.id)))) return
  const texts = mailTexts(mailLanguage(ctx, member))
  const mail = { to: member.email, ...texts.newBrowser(noticeFacts(services, ctx, now)) }
  const mailId = await inTransaction(db, (tx) => enqueueMail(tx, config.dataKey, mail))
  await queueMail(services, mailId)
}
