import type Koa from 'koa'
import { endMailReminders, memberOfToken } from '#db/reminders/mail-reminders'
import type { Services } from '#gateway/services/services'
import { NETWORK_NAME } from '#rules/constants'
import type { Language } from '#rules/members/languages'
import { UNSUBSCRIBE_PATH } from '#rules/members/reminders'
import type { BuildReader } from './build-files.ts'
import { languageFor, plainPage } from './plain-page.ts'

/** The link was opened, the button pressed, or the link is not one of ours. */
type UnsubscribeStep = 'ask' | 'done' | 'wrong'

type Message = { title: string; text: string; button?: string }

const UNSUBSCRIBE_TEXTS: Record<Language, Record<UnsubscribeStep, Message>> = {
  en: {
    ask: {
      title: 'Stop reminders by mail?',
      text: `${NETWORK_NAME} will not mail you any more when a mining session ends.`,
      button: 'Stop reminders',
    },
    done: {
      title: 'Reminders by mail are off',
      text: 'You can switch them on again on your Account page.',
    },
    wrong: {
      title: 'This link does not work',
      text: 'Open the link from the mail again, or switch the reminders off on your Account page.',
    },
  },
  vi: {
    ask: {
      title: 'Ngừng nhắc nhở qua email?',
      text: `${NETWORK_NAME} sẽ không gửi email cho bạn khi phiên đào kết thúc nữa.`,
      button: 'Ngừng nhắc nhở',
    },
    done: {
      title: 'Đã tắt nhắc nhở qua email',
      text: 'Bạn có thể bật lại trong trang Tài khoản.',
    },
    wrong: {
      title: 'Liên kết này không dùng được',
      text: 'Hãy mở lại liên kết trong email, hoặc tắt nhắc nhở trong trang Tài khoản.',
    },
  },
}

/** GET only asks, because mail scanners open links; POST switches off, by the button or a mail program (RFC 8058). */
export function unsubscribePage(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  readBuild: BuildReader,
): Koa.Middleware {
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
    const language = languageFor(ctx)
    ctx.set('Cache-Control', 'no-store')
    ctx.vary('Accept-Language')
    ctx.status = reached === 'wrong' ? 404 : 200
    ctx.type = 'html'
    const { title, text, button } = UNSUBSCRIBE_TEXTS[language][reached]
    const form = button ? `<form method="post"><button>${button}</button></form>` : ''
    ctx.body = plainPage({
      language,
      title,
      build: await readBuild(),
      head: '<meta name="robots" content="noindex">',
      body: `<p>${text}</p>${form}`,
    })
  }
}
