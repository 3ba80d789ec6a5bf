import type { Translation } from '#client/language/catalogues.ts'
import type { inbox as english } from '#client/language/en/inbox.ts'

export const inbox: Translation<typeof english> = {
  title: 'Hộp thư',
  intro: 'Những gì đã xảy ra với tài khoản và đội của bạn. Các mục được giữ trong 90 ngày.',
  loadFailed: 'Không tải được hộp thư',
  loadFailedText: 'Không mất gì cả. Bạn hãy kiểm tra kết nối rồi thử lại.',
  loading: 'Đang tải hộp thư',
  olderFailed: 'Không tải được các mục cũ hơn',
  empty: 'Chưa có gì ở đây',
  emptyText: 'Khi một phiên kết thúc hoặc có người vào đội của bạn, bạn sẽ thấy ở đây.',
  list: 'Các mục, mới nhất trước',
  new: 'Mới',
  kinds: {
    'session-ended': 'Phiên khai thác đã hoàn tất',
    'member-joined': '{{username}} đã vào đội của bạn',
    someoneJoined: 'Một thành viên đã vào đội của bạn',
    'milestone-ready': 'Đã đạt cột mốc {{members}} thành viên',
    'milestone-paid': 'Đã trả thưởng cột mốc {{members}} thành viên',
    identityAccepted: 'Danh tính của bạn đã được xác minh',
    identityRejected: 'Giấy tờ của bạn không được chấp nhận',
    'new-browser': 'Đăng nhập từ trình duyệt mới',
    corrected: 'Số dư của bạn đã được điều chỉnh',
    frozen: 'Tài khoản của bạn đã bị khóa',
    released: 'Tài khoản của bạn đã được mở khóa',
  },
  texts: {
    mined: 'Đã khai thác {{tesp}}',
    minedBoth: 'Đã khai thác {{tesp}}, {{usdt}} đang chờ nhận',
    milestoneReady: 'Hãy kiểm tra ở màn hình Đội để nhận thưởng.',
    paid: '{{tesp}} và {{usdt}}',
    newBrowser: '{{device}}. Nếu không phải bạn, hãy đổi mật khẩu.',
  },
  announcement: {
    news: 'Tin tức',
    maintenance: 'Bảo trì',
    urgent: 'Thông báo khẩn',
    window: '{{from}} đến {{until}}',
    startsIn: 'Bảo trì bắt đầu sau',
    runsUntil: 'Bảo trì đến {{until}}',
    label: 'Thông báo',
  },
}
