import { NETWORK_NAME } from '#rules/constants'
import type { Language } from '#rules/members/languages'
import type { Message } from './message-page.ts'

/** The link was opened, the button pressed, or the link is not one of ours. */
export type UnsubscribeStep = 'ask' | 'done' | 'wrong'

export const UNSUBSCRIBE_TEXTS: Record<Language, Record<UnsubscribeStep, Message>> = {
  en: {
    ask: {
      title: 'Stop reminders by mail?',
      text: `${NETWORK_NAME} will not mail you any more when a mining session ends.`,
      button: 'Stop reminders',
      back: `Back to ${NETWORK_NAME}`,
    },
    done: {
      title: 'Reminders by mail are off',
      text: 'You can switch them on again on your Account page.',
      back: `Back to ${NETWORK_NAME}`,
    },
    wrong: {
      title: 'This link does not work',
      text: 'Open the link from the mail again, or switch the reminders off on your Account page.',
      back: `Back to ${NETWORK_NAME}`,
    },
  },
  vi: {
    ask: {
      title: 'Ngừng nhắc nhở qua email?',
      text: `${NETWORK_NAME} sẽ không gửi email cho bạn khi phiên đào kết thúc nữa.`,
      button: 'Ngừng nhắc nhở',
      back: `Quay lại ${NETWORK_NAME}`,
    },
    done: {
      title: 'Đã tắt nhắc nhở qua email',
      text: 'Bạn có thể bật lại trong trang Tài khoản.',
      back: `Quay lại ${NETWORK_NAME}`,
    },
    wrong: {
      title: 'Liên kết này không dùng được',
      text: 'Hãy mở lại liên kết trong email, hoặc tắt nhắc nhở trong trang Tài khoản.',
      back: `Quay lại ${NETWORK_NAME}`,
    },
  },
}
