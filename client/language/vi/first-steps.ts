import type { Catalogues, Translation } from '#client/language/catalogues.ts'
import { BOOST_PERCENT } from '#rules/constants'

export const firstSteps: Translation<Catalogues['firstSteps']> = {
  title: 'Các bước đầu',
  progress: 'Đã xong {{done}}/{{all}}',
  dismiss: 'Ẩn các bước đầu',
  done: 'Xong',
  start: 'Bắt đầu đào',
  startText: 'Bấm nút tròn. Một phiên chạy 24 giờ, dù bạn mở hay đóng trang này.',
  credit: 'Lần cộng thưởng đầu tiên',
  creditText: 'Vào ví của bạn 20 phút sau khi bắt đầu.',
  read: 'TESP và USDT là gì',
  readText: 'Đọc trong nửa phút.',
  readAction: 'Đọc',
  invite: 'Mời bạn bè',
  inviteText: `Mỗi người tham gia bằng mã của bạn tăng tốc độ đào thêm ${BOOST_PERCENT}%.`,
  inviteAction: 'Lấy mã',
  remind: 'Báo khi hết 24 giờ',
  remindText: 'Bằng thông báo hoặc email. Sau 24 giờ việc đào dừng cho đến khi bạn bắt đầu lại.',
  remindAction: 'Chọn',
  about: {
    points:
      'TESP và USDT là điểm trong ứng dụng này. Việc đào được mô phỏng trên máy chủ: không dùng sức máy của bạn, và điểm không có giá trị tiền mặt.',
    earning:
      'Trong phiên 24 giờ, cứ 20 phút một khoản TESP vào thẳng ví của bạn. Nếu bạn dừng sớm, phần lẻ của 20 phút đang chạy chờ ở Phần thưởng chờ nhận cho đến khi bạn nhận.',
    growing: `Mỗi người bạn mời giúp bạn đào nhanh hơn ${BOOST_PERCENT}%. Từ đội nhóm mười người trở lên, việc đào còn mang lại USDT, chờ ở Phần thưởng chờ nhận.`,
    close: 'Đã hiểu',
  },
  install: {
    title: 'Thêm TESP Network vào màn hình chính',
    text: 'Mở như một ứng dụng và vẫn xem được số liệu gần nhất khi mất mạng.',
    yes: 'Cài đặt',
    no: 'Không, cảm ơn',
  },
}
