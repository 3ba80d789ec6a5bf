import { NETWORK_NAME } from '#rules/constants'
import type { Language } from '#rules/members/languages'
import type { Punctuality, ServiceStatus } from './service-status.ts'

export type StatusTexts = {
  title: string
  labels: Record<Punctuality, string>
  /** What the state of each part means for a member. */
  parts: Record<keyof ServiceStatus, { title: string } & Record<Punctuality, string>>
  again: string
  back: string
}

export const STATUS_TEXTS: Record<Language, StatusTexts> = {
  en: {
    title: 'Service status',
    labels: { on_time: 'On time', delayed: 'Delayed' },
    parts: {
      credits: {
        title: 'Credits',
        on_time: 'Every reward that is due has been credited.',
        delayed: 'Rewards are credited late. None is lost: each one follows in full.',
      },
      updates: {
        title: 'Live updates',
        on_time: 'Changes reach open pages within seconds.',
        delayed:
          'Open pages may show old figures for a while. Reload a page to see the current ones.',
      },
    },
    again: 'Check again',
    back: `Back to ${NETWORK_NAME}`,
  },
  vi: {
    title: 'Trạng thái dịch vụ',
    labels: { on_time: 'Đúng giờ', delayed: 'Chậm trễ' },
    parts: {
      credits: {
        title: 'Cộng thưởng',
        on_time: 'Mọi phần thưởng đến hạn đều đã được cộng.',
        delayed: 'Phần thưởng được cộng chậm. Không mất phần nào: tất cả sẽ được cộng đủ.',
      },
      updates: {
        title: 'Cập nhật trực tiếp',
        on_time: 'Thay đổi hiện trên các trang đang mở trong vài giây.',
        delayed:
          'Các trang đang mở có thể hiện số liệu cũ trong một lúc. Hãy tải lại trang để xem số liệu mới.',
      },
    },
    again: 'Kiểm tra lại',
    back: `Quay lại ${NETWORK_NAME}`,
  },
}
