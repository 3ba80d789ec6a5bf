import type { Catalogues, Translation } from '#client/language/catalogues.ts'

export const verify: Translation<Catalogues['verify']> = {
  intro:
    'Bằng chứng cho thấy một dòng hoạt động của bạn nằm trong sổ cái đã niêm phong của ngày đó. Tệp ở lại trong trình duyệt này; chỉ có ngày được gửi đi, để so sánh dấu niêm phong với dấu đã công bố.',
  choose: 'Chọn bằng chứng',
  hash: 'Mã băm của dấu niêm phong (không bắt buộc)',
  hashHint: 'Lấy từ nguồn mà bạn tin cậy, chẳng hạn một bản sao danh sách các mã gốc (root).',
  notReceipt: 'Tệp này không phải là bằng chứng.',
  verdicts: {
    valid: 'Bằng chứng này hợp lệ',
    signed: 'Chưa thể so sánh bằng chứng này',
    unchecked: 'Chưa thể kiểm tra bằng chứng này',
    unknownKey: 'Được ký bằng một khóa lạ: không hợp lệ',
    invalid: 'Bằng chứng này không hợp lệ',
  },
  signedBy: 'Được TESP Network ký vào {{date}}',
  reasons: {
    signed:
      'Không đọc được các dấu niêm phong đã công bố, nên chưa thể so sánh gốc của ngày đó. Dòng sẽ hiện ra khi so sánh được.',
    unchecked:
      'Không đọc được các khóa của TESP Network, hoặc trình duyệt này không kiểm tra được chữ ký. Hãy kết nối mạng, mở trang này bằng https, hoặc dùng trình duyệt mới hơn.',
    unknownKey: 'Bất kỳ ai cũng có thể tạo ra tệp này. Đừng tin nội dung của nó.',
    invalid: 'Đừng tin nội dung của tệp này.',
  },
  seal: 'Dấu niêm phong {{number}} của ngày {{day}}',
  checks: {
    row: 'Dòng này là một trong các dòng của ngày đó.',
    root: 'Các dòng dẫn đến gốc của dấu niêm phong.',
    hash: 'Mã băm của dấu niêm phong khớp với nội dung của nó.',
    signature: 'Chữ ký khớp với dấu niêm phong.',
    key: 'Vào thời điểm niêm phong, khóa này thuộc về TESP Network.',
    published: 'Dấu niêm phong là dấu đã công bố.',
    entered: 'Dấu niêm phong có mã băm mà bạn đã nhập.',
  },
  outcome: { holds: 'Đúng', fails: 'Sai', open: 'Chưa kiểm tra' },
}
