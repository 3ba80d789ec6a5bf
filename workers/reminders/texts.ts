import { mailTexts } from '#db/mail-texts/mail-texts'
import type { Mail } from '#db/mails'
import type { Language } from '#rules/members/languages'
import type { PushPayload } from '#rules/members/reminders'

/** Page that a reminder opens. */
const PATH = '/mine'

const PUSH_TEXTS: Record<Language, Pick<PushPayload, 'title' | 'body'>> = {
  en: {
    title: 'Your 24 hours are over',
    body: 'Start the next session to keep mining.',
  },
  vi: {
    title: 'Phiên đào 24 giờ đã kết thúc',
    body: 'Bắt đầu phiên tiếp theo để tiếp tục đào.',
  },
}

/** The notification about the end of a session. It names no amount: others may read the screen. */
export function pushReminder(language: Language, sessionId: number): PushPayload {
  return { ...PUSH_TEXTS[language], tag: `session-${sessionId}`, path: PATH, lang: language }
}

type MailFacts = { to: string; memberId: number; origin: string; unsubscribeUrl: string }

/** The mail about the end of a session. */
export function mailReminder(language: Language, facts: MailFacts): Mail {
  const { to, memberId, origin, unsubscribeUrl } = facts
  const text = mailTexts(language).sessionEnded({ page: `${origin}${PATH}`, unsubscribeUrl })
  return { to, ...text, unsubscribes: memberId }
}
