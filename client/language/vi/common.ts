import type { common as english } from '#client/language/en/common.ts'
import type { Translation } from '#client/language/translation.ts'

export const common: Translation<typeof english> = {
  tryAgain: 'Thử lại',
  reload: 'Tải lại',
  close: 'Đóng',
  dismiss: 'Bỏ qua',
  undo: 'Hoàn tác',
  loading: 'Đang tải',
  loadMore: 'Xem thêm',
  copy: 'Sao chép',
  copied: 'Đã sao chép!',
  notCopied: 'Chưa sao chép được',
  retrying: 'Đang thử lại…',
  waiting: 'Đang chờ…',
  email: 'Email',
  confirmPassword: 'Xác nhận mật khẩu',
  showPassword: 'Hiện mật khẩu',
  hidePassword: 'Ẩn mật khẩu',
  passwordRules: 'Ít nhất 8 ký tự, gồm chữ in hoa và chữ số',
  toast: { label: 'Thông báo', viewport: 'Thông báo ({hotkey})' },
  noAnswer: 'Máy chủ không phản hồi. Bạn hãy kiểm tra kết nối rồi thử lại.',
  unreachable: 'Không kết nối được với máy chủ. Bạn hãy kiểm tra kết nối rồi thử lại.',
  newVersion: 'Đã có phiên bản mới',
  language: {
    notLoaded: 'Không tải được ngôn ngữ. Bạn hãy kiểm tra kết nối rồi thử lại.',
    notSaved: 'Chưa đổi được ngôn ngữ email của bạn',
  },
  brokenScreen: {
    title: 'Không hiển thị được màn hình này',
    text: 'Bạn hãy kiểm tra kết nối rồi tải lại trang.',
  },
  age: {
    seconds: '{{count}} giây trước',
    minutes: '{{count}} phút trước',
    hours: '{{count}} giờ trước',
  },
  reward: {
    title: 'TESP đã được cộng vào ví của bạn!',
    text: '{{amount}} TESP đã được tự động cộng vào ví của bạn sau 20 phút đào.',
  },
  commands: {
    label: 'Đang chờ máy chủ',
    willOnline: 'Sẽ {{action}} khi bạn có mạng trở lại',
    willAnswered: 'Sẽ {{action}} khi máy chủ phản hồi',
    undoOnline: 'Việc hoàn tác sẽ được xác nhận khi bạn có mạng trở lại',
    undoAnswered: 'Việc hoàn tác sẽ được xác nhận khi máy chủ phản hồi',
  },
  command: {
    start: { action: 'bắt đầu đào', notDone: 'Chưa bắt đầu đào' },
    stop: { action: 'dừng đào', notDone: 'Chưa dừng đào' },
    claim: { action: 'nhận phần thưởng của bạn', notDone: 'Chưa nhận được phần thưởng của bạn' },
    task: {
      action: 'nhận thưởng nhiệm vụ',
      notDone: 'Chưa nhận được thưởng nhiệm vụ',
    },
    'check-milestones': {
      action: 'kiểm tra các mốc thưởng của bạn',
      notDone: 'Chưa kiểm tra được các mốc thưởng của bạn',
    },
    'generate-code': {
      action: 'tạo mã giới thiệu của bạn',
      notDone: 'Chưa tạo được mã giới thiệu',
    },
    'apply-code': {
      action: 'áp dụng mã giới thiệu',
      notDone: 'Chưa áp dụng được mã giới thiệu',
    },
    profile: { action: 'lưu hồ sơ của bạn', notDone: 'Hồ sơ của bạn chưa được thay đổi' },
    upload: { action: 'gửi giấy tờ của bạn', notDone: 'Giấy tờ của bạn chưa được gửi' },
  },
  dropped: {
    undone: 'Bạn đã hoàn tác thao tác này.',
    expired: 'Không kết nối được với máy chủ trong một giờ.',
    changed: 'Trong lúc đó dữ liệu đã thay đổi trên thiết bị khác.',
    'input lost': 'Trang đã bị đóng trước khi gửi.',
  },
  signedOut: {
    title: 'Đã đăng xuất',
    logout: 'Bạn đã đăng xuất trên thiết bị này.',
    'password-reset': 'Mật khẩu của bạn đã được thay đổi. Vui lòng đăng nhập lại.',
    'account-deleted': 'Tài khoản của bạn đã bị xóa.',
    'account-frozen': 'Tài khoản của bạn đang bị khóa. Hãy đăng nhập để xem lý do.',
    expired: 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại.',
    ended: 'Bạn đã bị đăng xuất từ một thiết bị khác.',
  },
  signOut: {
    doneTitle: 'Đã đăng xuất',
    done: 'Bạn đã đăng xuất thành công.',
    failed: 'Đăng xuất không thành công',
  },
}
