import type { Catalogues, Translation } from '#client/language/catalogues.ts'

export const network: Translation<Catalogues['network']> = {
  loadFailed: 'Không tải được thông tin mạng lưới',
  loadFailedText: 'Việc đào vẫn tiếp tục dù trang này không tải được.',
  status: {
    title: 'Trạng thái mạng lưới',
    nodes: 'Số nút',
    nodesNote: '+12% so với tuần trước',
    blockHeight: 'Chiều cao khối',
    blockNote: 'Thời gian khối trung bình: 2,4 giây',
    hashRate: 'Tốc độ băm',
    activity: 'Hoạt động mạng lưới',
    updated: 'Cập nhật lần cuối: 2 phút trước',
    illustration:
      '“+12%”, “2,4 giây” và “2 phút trước” là minh họa. Nút, khối, tốc độ và hoạt động là số thật.',
  },
  activity: {
    none: 'Không có lần cộng thưởng nào trong 24 giờ qua',
    chart: 'Biểu đồ cột: {{summary}}',
    summary_other: '{{total}} lần cộng thưởng trong 24 giờ qua, nhiều nhất lúc {{hour}}: {{most}}',
    asTable: 'Xem hoạt động dạng bảng',
    caption: 'Số lần cộng thưởng mỗi giờ trong 24 giờ qua',
    hour: 'Từ giờ',
    credits: 'Lần cộng thưởng',
  },
  ai: {
    title: 'Trạng thái tích hợp AI',
    training: 'Huấn luyện',
    dataProcessing: 'Xử lý dữ liệu',
    accuracy: 'Độ chính xác',
    allocation: 'Phân bổ tài nguyên',
    mining: 'Đào',
    security: 'Bảo mật',
    analytics: 'Phân tích',
    research: 'Nghiên cứu',
  },
  updates: {
    title: 'Cập nhật mới nhất',
    rewards: 'Phần thưởng tức thì',
    rewardsText: 'Phần thưởng xuất hiện trong ví và trên màn hình của bạn ngay khi được cộng.',
    milestones: 'Mốc đội nhóm',
    milestonesText: 'Mỗi mốc đạt được làm tăng tỷ lệ USDT nhận được khi đào.',
    optimization: 'Tối ưu hóa AI',
    optimizationText: 'Màn hình đào cho thấy mức tối ưu hóa thay đổi ra sao trong một phiên.',
  },
  coming: {
    title: 'Sắp ra mắt',
    chat: 'Trò chuyện và nhắn tin trong đội nhóm',
    explorer: 'Trình tra cứu giao dịch',
    rewards: 'Phần thưởng tham gia mạng lưới',
    statistics: 'Thống kê đào nâng cao',
  },
  swap: {
    title: 'Tính năng hoán đổi sắp ra mắt',
    notify: 'Nhận thông báo',
    notifyNote: 'Chưa dùng được. Tin mới sẽ có trên trang này.',
  },
}
