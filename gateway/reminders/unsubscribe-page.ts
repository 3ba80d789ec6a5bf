import type Koa from 'koa'
import { endMailReminders } from '#db/reminders/settings'
import { memberOfToken } from '#db/reminders/unsubscribe'
import type { Services } from '#gateway/services/services'
import { languageOf } from '#rules/members/languages'
import { UNSUBSCRIBE_PATH } from '#rules/members/reminders'
import { messagePage } from './message-page.ts'
import { UNSUBSCRIBE_TEXTS, type UnsubscribeStep } from './unsubscribe-texts.ts'

/**
 * The page behind the link in a reminder mail: works without a sign-in. GET only shows a
 * question, because mail scanners open links; POST switches off, from the page's button or from a mail program (RFC 8058).
 */
export function unsubscribePage({
  db,
  config,
  log,
}: Pick<Services, 'db' | 'config' | 'log'>): Koa.Middleware {
  async function step(ctx: Koa.Context): Promise<UnsubscribeStep> {
    const { token } = ctx.query
    const memberId = memberOfToken(config.dataKey, typeof token === 'string' ? token : '')
    if (memberId === undefined) return 'wrong'
    if (ctx.method !== 'POST') return 'ask'
    await endMailReminders(db, memberId)
    log.info({ memberId }, 'mail reminders switched off by link')
    return 'done'
  }
  return async (ctx, next) => {
    const isOurs = ctx.path === UNSUBSCRIBE_PATH && ['GET', 'HEAD', 'POST'].includes(ctx.method)
    if (!isOurs) return next()
    const reached = await step(ctx)
    const language = languageOf(ctx.acceptsLanguages())
    ctx.set('Cache-Control', 'no-store')
    ctx.vary('Accept-Language')
    ctx.status = reached === 'wrong' ? 404 : 200
    ctx.type = 'html'
    ctx.body = messagePage(language, UNSUBSCRIBE_TEXTS[language][reached])
  }
}
