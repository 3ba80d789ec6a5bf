import type { verify as english } from '#client/language/en/verify.ts'
import type { Translation } from '#client/language/translation.ts'

export const verify: Translation<typeof english> = {
  title: 'Xác minh bằng chứng',
  intro:
    'Bằng chứng cho thấy một dòng hoạt động của bạn nằm trong sổ cái đã niêm phong của ngày đó. Việc kiểm tra diễn ra ngay trong trình duyệt này; không có gì được gửi đi.',
  choose: 'Chọn bằng chứng',
  hash: 'Mã băm của dấu niêm phong (không bắt buộc)',
  hashHint: 'Lấy từ nguồn mà bạn tin cậy, chẳng hạn một bản sao của danh sách gốc.',
  notReceipt: 'Tệp này không phải là bằng chứng.',
  valid: 'Bằng chứng này hợp lệ',
  invalid: 'Bằng chứng này không hợp lệ',
  seal: 'Dấu niêm phong {{number}} của ngày {{day}}',
  checks: {
    row: 'Dòng này là một trong các dòng của ngày đó.',
    root: 'Các dòng dẫn đến gốc của dấu niêm phong.',
    hash: 'Mã băm của dấu niêm phong khớp với nội dung của nó.',
    signature: 'Dấu niêm phong đã được ký.',
    published: 'Dấu niêm phong đúng là dấu mà bạn tin cậy.',
  },
  outcome: { holds: 'Đúng', fails: 'Sai', open: 'Chưa kiểm tra' },
  back: 'Về trang chính',
}
