import type { Catalogues, Translation } from '#client/language/catalogues.ts'

export const earnings: Translation<Catalogues['earnings']> = {
  period: 'Khoảng thời gian',
  days_other: '{{count}} ngày',
  utc: 'Ngày tính theo giờ UTC.',
  loading: 'Đang tải thu nhập',
  loadFailed: {
    title: 'Không tải được thu nhập',
    text: 'Những gì bạn đã kiếm được vẫn an toàn.',
  },
  empty: {
    title_other: 'Chưa có thu nhập trong {{count}} ngày qua',
    text: 'Các lần cộng thưởng, lần nhận thưởng và phần thưởng sẽ hiện ở đây vào ngày chúng được chuyển vào ví.',
  },
  summary: 'Tóm tắt',
  total: 'Tổng {{token}}',
  best: 'Ngày cao nhất',
  none: 'Chưa có',
  streak: 'Số ngày liên tiếp',
  streakLong: 'Từ {{count}} ngày trở lên',
  sources: {
    title: 'Theo nguồn',
    source: 'Nguồn',
    amount: 'Số lượng',
    mining: 'Đào',
    team: 'Tăng tốc từ đội nhóm',
    rewards: 'Nhiệm vụ và mốc',
    other: 'Điều chỉnh',
  },
  chart: {
    tesp: 'TESP mỗi ngày',
    usdt: 'USDT mỗi ngày',
    label: 'Biểu đồ cột: {{amount}} {{token}} trong {{count}} ngày',
    labelBest:
      'Biểu đồ cột: {{amount}} {{token}} trong {{count}} ngày; cao nhất vào {{day}}: {{most}} {{token}}',
  },
  table: {
    show: 'Xem dạng bảng',
    hide: 'Ẩn bảng',
    title: 'Thu nhập theo ngày',
    day: 'Ngày',
    mining: 'Đào',
    team: 'Đội nhóm',
    rewards: 'Phần thưởng',
    other: 'Điều chỉnh',
    note: 'Không liệt kê những ngày không có thu nhập.',
  },
}
