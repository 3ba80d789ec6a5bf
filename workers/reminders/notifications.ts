import type { ClaimedReminder } from '#db/reminders/outbox'
import type { UnpushedKind } from '#db/reminders/push-notices'
import type { AnnouncementKind, InboxKind } from '#rules/inbox'
import type { Language } from '#rules/members/languages'
import type { PushPayload } from '#rules/members/reminders'

export const SESSION_PATH = '/mine'
const INBOX_PATH = '/inbox'

type Texts = Pick<PushPayload, 'title' | 'body'>

/** Others may read the screen: no text names an amount, a reason or a member, except the inviter of a reminder. */
const TEXTS: Record<Language, Record<Exclude<InboxKind, UnpushedKind | 'team-reminder'>, Texts>> = {
  en: {
    'session-ended': {
      title: 'Your 24 hours are over',
      body: 'Start the next session to keep mining.',
    },
    'member-joined': { title: 'Somebody joined your team', body: 'See in your inbox who it is.' },
    'milestone-ready': {
      title: 'A milestone is ready',
      body: 'Check it on the Team screen to get your reward.',
    },
    'milestone-paid': { title: 'A milestone was paid', body: 'See in your inbox what it brought.' },
    'identity-decided': {
      title: 'Your document was checked',
      body: 'See the result in your inbox.',
    },
    'new-browser': {
      title: 'Sign-in from a new browser',
      body: 'If this was not you, change your password.',
    },
    'mail-refused': { title: 'Our mails do not reach you', body: 'See in your inbox what to do.' },
    corrected: { title: 'Your balance was corrected', body: 'See the reason in your inbox.' },
  },
  vi: {
    'session-ended': {
      title: 'Phiên đào 24 giờ đã kết thúc',
      body: 'Bắt đầu phiên tiếp theo để tiếp tục đào.',
    },
    'member-joined': {
      title: 'Có người vừa vào đội nhóm của bạn',
      body: 'Mở hộp thư để xem đó là ai.',
    },
    'milestone-ready': {
      title: 'Đã đạt một mốc',
      body: 'Kiểm tra ở màn hình Đội nhóm để nhận thưởng.',
    },
    'milestone-paid': {
      title: 'Đã trả thưởng mốc',
      body: 'Mở hộp thư để xem bạn nhận được gì.',
    },
    'identity-decided': {
      title: 'Giấy tờ của bạn đã được xem xét',
      body: 'Mở hộp thư để xem kết quả.',
    },
    'new-browser': {
      title: 'Đăng nhập từ trình duyệt mới',
      body: 'Nếu không phải bạn, hãy đổi mật khẩu.',
    },
    'mail-refused': {
      title: 'Email của chúng tôi không đến được bạn',
      body: 'Mở hộp thư trong ứng dụng để xem cách xử lý.',
    },
    corrected: { title: 'Số dư của bạn đã được điều chỉnh', body: 'Mở hộp thư để xem lý do.' },
  },
}

const ANNOUNCED: Record<Language, Record<AnnouncementKind, string>> = {
  en: { news: 'News', maintenance: 'Maintenance', urgent: 'Urgent notice' },
  vi: { news: 'Tin tức', maintenance: 'Bảo trì', urgent: 'Thông báo khẩn' },
}

function teamReminder(language: Language, inviter: string | null): Texts {
  const { body } = TEXTS[language]['session-ended']
  const title = { en: 'reminds you to mine', vi: 'nhắc bạn đào' }[language]
  const nobody = { en: 'Your inviter', vi: 'Người mời' }[language]
  return { title: `${inviter ?? nobody} ${title}`, body }
}

function textsOf({ kind, announcement, language, inviter }: ClaimedReminder): Texts {
  if (kind === 'team-reminder') return teamReminder(language, inviter)
  if (!announcement) return TEXTS[language][kind as keyof (typeof TEXTS)[Language]]
  return { title: ANNOUNCED[language][announcement.kind], body: announcement.texts[language] }
}

const pathOf = ({ kind, sessionId }: ClaimedReminder) =>
  sessionId !== null || kind === 'team-reminder'
    ? SESSION_PATH
    : kind === 'milestone-ready'
      ? '/team'
      : INBOX_PATH

/** A device replaces a message of the same tag. */
export function notificationOf(reminder: ClaimedReminder): PushPayload {
  const { id, sessionId, language } = reminder
  const tag = sessionId === null ? `notice-${id}` : `session-${sessionId}`
  return { ...textsOf(reminder), tag, path: pathOf(reminder), lang: language }
}
