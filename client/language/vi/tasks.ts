import type { Translation } from '#client/language/catalogues.ts'
import type { tasks as english } from '#client/language/en/tasks.ts'

export const tasks: Translation<typeof english> = {
  title: 'Nhiệm vụ',
  refresh: 'Làm mới',
  refreshed: 'Đã làm mới',
  notRefreshed: 'Lỗi làm mới',
  loading: 'Đang tải nhiệm vụ...',
  loadFailed: 'Không tải được nhiệm vụ',
  progress: {
    label: 'Tiến độ của bạn',
    done: 'Đã hoàn thành {{done}}/{{all}}',
    bar: 'Nhiệm vụ đã hoàn thành',
    completed: 'Đã hoàn thành',
    earned: 'TESP đã nhận',
  },
  tabs: {
    all: 'Tất cả',
    pending: 'Chưa\u00a0làm',
    completed: 'Đã\u00a0xong',
    noneAvailable: 'Chưa có nhiệm vụ nào',
    nonePending: 'Bạn đã hoàn thành mọi nhiệm vụ!',
    noneCompleted: 'Bạn chưa hoàn thành nhiệm vụ nào',
  },
  daily: 'Hằng ngày',
  completedOn: 'Hoàn thành ngày {{date}} lúc {{time}}',
  visit: 'Truy cập',
  newTab: ', mở trong thẻ mới',
  claim: 'Nhận thưởng',
  claimed: 'Đã nhận',
  unknownTitle: 'Không thể nhận thưởng',
  unknown: 'Nhiệm vụ không tồn tại!',
  alreadyTitle: 'Đã nhận rồi',
  already: 'Bạn đã nhận thưởng của nhiệm vụ này rồi!',
  doneTitle: 'Thành công!',
  done: 'Bạn đã nhận được phần thưởng của nhiệm vụ này! Hãy kiểm tra số dư trong ví.',
  failedTitle: 'Lỗi',
  failed: 'Không nhận được phần thưởng',
  platforms: {
    twitter: 'Twitter',
    telegram: 'Telegram',
    youtube: 'YouTube',
    website: 'Trang web',
  },
  actions: {
    follow: 'Theo dõi',
    like: 'Thích',
    share: 'Chia sẻ',
    watch: 'Xem',
    visit: 'Truy cập',
    subscribe: 'Đăng ký theo dõi',
  },
  task: {
    follow_twitter: {
      title: 'Theo dõi chúng tôi trên Twitter',
      description: 'Theo dõi tài khoản TESP Network trên Twitter để biết tin mới.',
    },
    join_telegram: {
      title: 'Tham gia Telegram của chúng tôi',
      description: 'Tham gia kênh TESP Network trên Telegram và làm quen với các thành viên khác.',
    },
  },
}
