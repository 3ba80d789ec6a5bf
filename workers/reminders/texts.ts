import type { Mail } from '#db/mails'
import { NETWORK_NAME } from '#rules/constants'
import type { Language } from '#rules/languages'
import type { PushPayload } from '#rules/reminders'

/** Page that a reminder opens. */
const PATH = '/mine'

type Links = { page: string; unsubscribeUrl: string }
type Texts = {
  title: string
  body: string
  subject: string
  mail(links: Links): string
}

const TEXTS: Record<Language, Texts> = {
  en: {
    title: 'Your 24 hours are over',
    body: 'Start the next session to keep mining.',
    subject: 'your 24 hours are over',
    mail: ({ page, unsubscribeUrl }) => `Your mining session has ended after its 24 hours.
Start the next one here:

    ${page}

You get this mail because you asked for it on your Account page.
Stop these mails:

    ${unsubscribeUrl}`,
  },
  vi: {
    title: 'Phiên đào 24 giờ đã kết thúc',
    body: 'Bắt đầu phiên tiếp theo để tiếp tục đào.',
    subject: 'phiên đào 24 giờ của bạn đã kết thúc',
    mail: ({ page, unsubscribeUrl }) => `Phiên đào của bạn đã kết thúc sau 24 giờ.
Bạn có thể bắt đầu phiên tiếp theo tại đây:

    ${page}

Bạn nhận được email này vì đã bật nhắc nhở trong trang Tài khoản.
Ngừng nhận các email này:

    ${unsubscribeUrl}`,
  },
}

/** The notification about the end of a session. It names no amount: others may read the screen. */
export function pushReminder(language: Language, sessionId: number): PushPayload {
  const { title, body } = TEXTS[language]
  return { title, body, tag: `session-${sessionId}`, path: PATH, lang: language }
}

type MailFacts = { to: string; memberId: number; origin: string; unsubscribeUrl: string }

/** The mail about the end of a session. */
export function mailReminder(language: Language, facts: MailFacts): Mail {
  const { to, memberId, origin, unsubscribeUrl } = facts
  const { subject, mail } = TEXTS[language]
  return {
    to,
    subject: `${NETWORK_NAME}: ${subject}`,
    text: mail({ page: `${origin}${PATH}`, unsubscribeUrl }),
    unsubscribes: memberId,
  }
}
