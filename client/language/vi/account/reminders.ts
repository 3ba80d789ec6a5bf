import type { reminders as english } from '#client/language/en/account/reminders.ts'
import type { Translation } from '#client/language/translation.ts'

export const reminders: Translation<typeof english> = {
  title: 'Nhắc nhở',
  text: 'Tin nhắn khi phiên đào 24 giờ kết thúc. Mỗi phiên chỉ một lần, và bạn không nhận được gì nếu đã đào lại.',
  push: 'Thông báo trên thiết bị này',
  pushHint: 'Kể cả khi ứng dụng đang đóng',
  mail: 'Email',
  mailHint: 'Gửi đến {{email}}',
  otherDevices: 'Thiết bị khác',
  added: 'Đã thêm {{date}}',
  remove: 'Gỡ',
  removeDevice: 'Gỡ {{device}}',
  notLoaded: 'Không tải được phần nhắc nhở của bạn',
  problem: {
    unsupported:
      'Trình duyệt này không hiển thị được thông báo. Trên iPhone hoặc iPad, bạn hãy thêm ứng dụng vào Màn hình chính trước.',
    blocked:
      'Thông báo đang bị chặn. Bạn hãy cho phép trang này gửi thông báo trong phần cài đặt của trình duyệt rồi quay lại.',
    'not allowed': 'Bạn đã đóng câu hỏi mà chưa trả lời. Hãy bật lại để được hỏi lần nữa.',
    'no service': 'Trình duyệt này không kết nối được với dịch vụ thông báo. Bạn hãy thử lại sau.',
    'not set up': 'Máy chủ này chưa thiết lập thông báo. Bạn có thể chọn email.',
  },
  pushOn: 'Thiết bị này sẽ nhắc bạn',
  pushOff: 'Thiết bị này sẽ không nhắc bạn nữa',
  mailOn: 'Bạn sẽ được nhắc qua email',
  mailOff: 'Bạn sẽ không được nhắc qua email nữa',
  removed: 'Đã gỡ thiết bị',
  notChanged: 'Phần nhắc nhở của bạn chưa được thay đổi',
}
