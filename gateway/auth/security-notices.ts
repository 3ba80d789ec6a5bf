import type Koa from 'koa'
import { writeInbox } from '#db/inbox/inbox'
import type { FactorChange } from '#db/mail-texts/en'
import type { RequestFacts } from '#db/mail-texts/mail-text'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { lockMember, readEpoch } from '#db/members/execute-once'
import type { MemberRow } from '#db/members/members'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { languageFor } from '#gateway/services/request-language'
import type { Services } from '#gateway/services/services'
import { placeOf } from './auth-session.ts'

export function noticeFacts({ config }: Services, ctx: Koa.Context, now: number): RequestFacts {
  return { ...placeOf(ctx), now, origin: config.publicOrigins[0] }
}

type NoticeOwner = Pick<MemberRow, 'id' | 'email' | 'language' | 'authEpoch'>

export async function enqueueFactorNotice(
  tx: Tx,
  services: Services,
  ctx: Koa.Context,
  { member, change, now }: { member: NoticeOwner; change: FactorChange; now: number },
): Promise<void> {
  const texts = mailTexts(languageFor(ctx, member))
  const text = texts.factorChanged(change, noticeFacts(services, ctx, now))
  await enqueueMail(tx, services.config.dataKey, { to: member.email, ...text })
}

/** Writes nothing if this hour's notices are used up, or if the epoch was raised: this sign-in is void then. */
export async function notifyNewBrowser(
  services: Services,
  ctx: Koa.Context,
  member: NoticeOwner,
  now: number,
): Promise<void> {
  const { db, config, limits } = services
  if (!(await limits.tryUse('login-notices-member', String(member.id)))) return
  const texts = mailTexts(languageFor(ctx, member))
  const mail = { to: member.email, ...texts.newBrowser(noticeFacts(services, ctx, now)) }
  const { device } = placeOf(ctx)
  const isWritten = await inTransaction(db, async (tx) => {
    await lockMember(tx, member.id)
    if ((await readEpoch(tx, member.id))?.authEpoch !== member.authEpoch) return false
    const fact = await enqueueMail(tx, config.dataKey, mail)
    await writeInbox(tx, { memberId: member.id, kind: 'new-browser', fact, facts: { device } })
    return true
  })
  if (isWritten) await services.changes.publishMembers([member.id], ['inbox'])
}
