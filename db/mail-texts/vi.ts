import { NETWORK_NAME } from '#rules/constants'
import type { FactorChange, MailTexts } from './en.ts'
import { type MailBlock, mailText, type RequestFacts, requestLines } from './mail-text.ts'

const mail = (subject: string, ...blocks: MailBlock[]) =>
  mailText('vi', `${NETWORK_NAME}: ${subject}`, ['Chào bạn,', ...blocks])

const factsAndAdvice = (about: RequestFacts): MailBlock[] => {
  const facts = requestLines(about, 'mạng')
  const { origin } = about
  const words = `Nếu đó là bạn, hãy bỏ qua email này. Nếu không, hãy đặt mật khẩu mới${origin ? '' : '\ntại trang Đặt lại mật khẩu'}
để kết thúc mọi phiên đăng nhập.`
  if (!origin) return [facts, words]
  return [facts, words, { link: `${origin}/reset-password`, label: 'Đặt mật khẩu mới' }]
}

const accountPage = (origin: string | undefined): MailBlock[] =>
  origin ? [{ link: `${origin}/account`, label: 'Mở tài khoản của bạn' }] : []

const PASSWORD = { reset: 'đặt lại', changed: 'thay đổi' }

const FACTOR: Record<FactorChange, [subject: string, what: string]> = {
  passkeyAdded: [
    'đã thêm khóa truy cập',
    'Một khóa truy cập đã được thêm vào tài khoản của bạn. Khóa này đăng nhập mà không cần\nmật khẩu:',
  ],
  passkeyRemoved: [
    'đã xóa khóa truy cập',
    'Một khóa truy cập đã bị xóa khỏi tài khoản của bạn và không đăng nhập được nữa:',
  ],
  codesOn: [
    'đã bật mã một lần',
    'Từ nay, đăng nhập bằng mật khẩu cần thêm một mã từ ứng dụng xác thực:',
  ],
  codesOff: [
    'đã tắt mã một lần',
    'Từ nay, đăng nhập bằng mật khẩu không cần mã từ ứng dụng xác thực nữa:',
  ],
  recoveryRenewed: [
    'mã khôi phục mới',
    'Bạn có các mã khôi phục mới. Những mã trước đó không dùng được nữa:',
  ],
  recoveryUsed: [
    'một mã khôi phục đã được dùng',
    'Một mã khôi phục đã được dùng để đăng nhập. Mã đó không dùng lại được:',
  ],
  codeGuessed: [
    'nhập sai mã khi đăng nhập',
    'Mật khẩu của bạn đã được nhập đúng, sau đó nhiều mã bị nhập sai. Không ai\nđăng nhập được:',
  ],
}

export const vi: MailTexts = {
  verificationCode: (code) =>
    mail(
      'mã xác minh của bạn',
      `Mã xác minh ${NETWORK_NAME} của bạn là`,
      { code },
      'Mã có hiệu lực trong 10 phút. Nếu bạn không yêu cầu mã này, hãy bỏ qua email.',
    ),
  resetCode: (code) =>
    mail(
      'mã đặt lại mật khẩu của bạn',
      `Mã đặt lại mật khẩu ${NETWORK_NAME} của bạn là`,
      { code },
      `Mã có hiệu lực trong 10 phút. Nếu bạn không yêu cầu mã này, hãy bỏ qua email: mật khẩu của bạn
vẫn giữ nguyên.`,
    ),
  signInCode: (code) =>
    mail(
      'mã đăng nhập của bạn',
      `Mã đăng nhập ${NETWORK_NAME} của bạn là`,
      { code },
      `Mã có hiệu lực trong 10 phút. Tài khoản của bạn đã bị nhập sai mật khẩu nhiều lần, nên trình duyệt
mới cần mã này để đăng nhập. Mã được gửi vì có người đã nhập đúng mật khẩu của bạn: nếu đó không
phải là bạn, hãy đổi mật khẩu.`,
    ),
  newBrowser: (about) =>
    mail(
      'đăng nhập từ trình duyệt mới',
      'Một trình duyệt mới vừa đăng nhập vào tài khoản của bạn:',
      ...factsAndAdvice(about),
    ),
  newPassword: (how, about) =>
    mail(
      `mật khẩu của bạn đã được ${PASSWORD[how]}`,
      `Mật khẩu của bạn đã được ${PASSWORD[how]}, và mọi phiên đăng nhập khác đã kết thúc:`,
      ...factsAndAdvice(about),
    ),
  factorChanged: (change, about) => {
    const [subject, what] = FACTOR[change]
    const then = 'Sau đó hãy kiểm tra khóa truy cập và mã một lần trong màn hình Tài khoản.'
    return mail(subject, what, ...factsAndAdvice(about), then)
  },
  factorReset: (origin) =>
    mail(
      'mã một lần đã bị tắt',
      `Bộ phận hỗ trợ đã tắt mã một lần cho tài khoản của bạn. Giờ chỉ cần mật khẩu để
đăng nhập. Bạn có thể bật lại trong màn hình Tài khoản.`,
      ...accountPage(origin),
      'Nếu bạn không yêu cầu việc này, hãy đặt mật khẩu mới ngay.',
    ),
  emailChangeCode: (code, { username, email }) =>
    mail(
      'xác nhận địa chỉ email mới',
      `Địa chỉ email của tài khoản ${username} sẽ đổi thành
${email}.
Nếu bạn đã yêu cầu bộ phận hỗ trợ việc này, hãy đọc cho họ mã`,
      { code },
      `Mã có hiệu lực trong 24 giờ. Nếu bạn không yêu cầu, đừng đưa mã cho ai: không có mã thì
không có gì thay đổi.`,
    ),
  emailChanged: (origin) =>
    mail(
      'địa chỉ email của bạn đã được đổi',
      `Bộ phận hỗ trợ đã đổi địa chỉ email của tài khoản của bạn, và mọi phiên đăng nhập đã kết
thúc. Từ nay thư được gửi đến địa chỉ mới.`,
      `Nếu bạn không yêu cầu, hãy báo ngay cho bộ phận hỗ trợ${origin ? `: ${origin}` : '.'}`,
    ),
  identityAccepted: () =>
    mail(
      'danh tính của bạn đã được xác minh',
      'Giấy tờ của bạn đã được chấp nhận. Danh tính của bạn đã được xác minh.',
    ),
  identityRejected: (reason, origin) =>
    mail(
      'giấy tờ của bạn không được chấp nhận',
      'Giấy tờ của bạn không được chấp nhận:',
      { quote: reason },
      'Để thử lại, hãy mở màn hình Tài khoản, chọn Xác minh KYC rồi gửi giấy tờ mới.',
      ...accountPage(origin),
    ),
  sessionEnded: ({ page, unsubscribeUrl }) =>
    mail(
      'phiên đào 24 giờ của bạn đã kết thúc',
      `Phiên đào của bạn đã kết thúc sau 24 giờ.
Bạn có thể bắt đầu phiên tiếp theo tại đây:`,
      { link: page, label: 'Bắt đầu phiên tiếp theo' },
      `Bạn nhận được email này vì đã bật nhắc nhở trong trang Tài khoản.
Nếu không muốn nhận nữa, hãy mở liên kết này:`,
      { link: unsubscribeUrl, label: 'Ngừng nhận email nhắc nhở', quiet: true },
    ),
  test: (product) => mail('thư thử', `Đây là thư thử. Email của ${product} đến được đây.`),
}
