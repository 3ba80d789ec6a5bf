import type { Catalogues, Translation } from '#client/language/catalogues.ts'
import { API_TEXTS } from '#rules/api-texts'
import {
  OTP_LENGTH,
  PASSKEY_NAME_MAX,
  PASSKEYS_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  STATEMENT_DAYS,
  USERNAME_MIN,
} from '#rules/constants'
import { AVATAR_PIXELS } from '#rules/members/avatars'

const texts: Translation<typeof API_TEXTS> = {
  // Fields of sign-in, registration and the profile
  usernameShort: `Tên người dùng phải có ít nhất ${USERNAME_MIN} ký tự`,
  usernameSigns: 'Hãy dùng 3 đến 30 chữ cái, chữ số, dấu chấm, gạch dưới hoặc gạch nối',
  usernameInvalid: 'Tên người dùng không hợp lệ',
  usernameTaken: 'Tên người dùng đã có người sử dụng',
  usernameFree: 'Bạn có thể dùng tên người dùng này',
  usernameFixed: 'Không thể đổi tên người dùng',
  emailInvalid: 'Địa chỉ email không hợp lệ',
  emailAddress: 'Vui lòng nhập địa chỉ email hợp lệ',
  emailOfProfile: 'Vui lòng nhập email hợp lệ',
  emailTaken: 'Email đã được sử dụng',
  emailFree: 'Bạn có thể dùng email này',
  emailFixed: 'Không thể đổi email',
  passwordShort: `Mật khẩu phải có ít nhất ${PASSWORD_MIN} ký tự`,
  passwordLong: `Mật khẩu chỉ được có tối đa ${PASSWORD_MAX} ký tự`,
  passwordMissing: 'Vui lòng nhập mật khẩu',
  passwordWrong: 'Mật khẩu không đúng',
  passwordsDiffer: 'Mật khẩu không khớp',
  passwordsDifferOnReset: 'Mật khẩu không khớp',
  identifierMissing: 'Vui lòng nhập tên người dùng hoặc email',
  otpShort: `Mã OTP phải có ít nhất ${OTP_LENGTH} ký tự`,
  otpMissing: 'Vui lòng nhập mã OTP',
  otpInvalid: 'Mã OTP không hợp lệ',
  otpTooMany: 'Đã gửi quá nhiều mã đến địa chỉ email này',
  fullNameLong: 'Họ và tên chỉ được có tối đa 100 ký tự',
  phoneLong: 'Số điện thoại chỉ được có tối đa 32 ký tự',
  languageUnknown: 'Ngôn ngữ này chưa được hỗ trợ',
  confirmationMissing: 'Nhập tên người dùng của bạn để xác nhận',
  confirmationWrong: 'Hãy nhập chính xác tên người dùng của bạn',
  signInUnknown: 'Phiên đăng nhập không tồn tại',

  // Passkeys and one-time codes
  factorCodeMissing: 'Vui lòng nhập mã',
  factorCodeInvalid: 'Mã này không hợp lệ',
  factorTookTooLong: 'Thao tác mất quá nhiều thời gian. Vui lòng bắt đầu lại',
  passkeyUnreadable: 'Trình duyệt này không gửi khóa truy cập dùng được',
  passkeyKnown: 'Khóa truy cập này đã được thêm trước đó',
  passkeyUnknown: 'Khóa truy cập không tồn tại',
  passkeyNameMissing: 'Vui lòng nhập tên',
  passkeyNameLong: `Tên chỉ được có tối đa ${PASSKEY_NAME_MAX} ký tự`,

  // Referral codes
  referralMissing: 'Vui lòng nhập mã giới thiệu',
  referralPrefix: 'Mã giới thiệu phải bắt đầu bằng TESP',
  referralValid: 'Mã giới thiệu hợp lệ',
  referralUnknown: 'Mã giới thiệu không tồn tại',
  referralClosed: 'Mã giới thiệu này không nhận thêm thành viên',
  referralOwn: 'Bạn không thể dùng mã giới thiệu của chính mình',
  referralOwnTeam: 'Bạn không thể dùng mã của một thành viên trong đội nhóm của mình',
  referralEmailCounted: 'Địa chỉ email này đã từng được tính trong một đội nhóm',
  referralDone: 'Đã áp dụng mã giới thiệu thành công',
  referralApplied: 'Bạn đã áp dụng một mã giới thiệu rồi',

  // Pictures and documents
  avatarMissing: 'Vui lòng chọn ảnh đại diện',
  avatarLarge: 'Ảnh quá lớn',
  avatarFormat: 'Ảnh không phải là tệp JPEG',
  avatarPixels: `Ảnh phải vừa trong ${AVATAR_PIXELS} × ${AVATAR_PIXELS} pixel`,
  documentType: 'Vui lòng chọn loại giấy tờ',
  documentMissing: 'Vui lòng chọn tệp giấy tờ',
  documentLarge: 'Giấy tờ không được lớn hơn 5 MB',
  documentUnknown: 'Không có giấy tờ này',

  // Statements, reminders, tasks
  dayInvalid: 'Hãy nhập ngày theo dạng năm-tháng-ngày',
  daysReversed: 'Ngày cuối không được trước ngày đầu',
  daysTooMany: `Sao kê chỉ bao gồm tối đa ${STATEMENT_DAYS} ngày`,
  subscriptionUnreadable: 'Trình duyệt này không gửi đăng ký thông báo dùng được',
  deviceUnknown: 'Thiết bị không tồn tại',
  taskUnknown: 'Nhiệm vụ không tồn tại',
  taskCodeWrong: 'Từ khóa không đúng',

  // Any request
  notFound: 'Không tìm thấy',
  badRequest: 'Yêu cầu không hợp lệ',
  requestLarge: 'Yêu cầu quá lớn',
  internal: 'Đã xảy ra lỗi',
}

/** By the English text that the server sends. */
export const apiTexts: Record<string, string> = Object.fromEntries(
  (Object.keys(API_TEXTS) as (keyof typeof API_TEXTS)[]).map((key) => [API_TEXTS[key], texts[key]]),
)

export const errors: Catalogues['errors'] = {
  not_signed_in: 'Vui lòng đăng nhập',
  wrong_credentials: 'Tên người dùng hoặc mật khẩu không đúng',
  wrong_password: texts.passwordWrong,
  account_frozen: 'Tài khoản của bạn đang bị khóa: {{reason}}',
  cross_site: 'Không cho phép yêu cầu từ trang khác',
  bad_input: texts.badRequest,
  not_found: texts.notFound,
  too_many_requests: 'Quá nhiều yêu cầu. Vui lòng thử lại sau',
  unavailable: 'Dịch vụ tạm thời không khả dụng',
  command_cancelled: 'Thao tác này đã bị hủy',
  username_taken: texts.usernameTaken,
  email_taken: texts.emailTaken,
  email_not_verified: 'Vui lòng xác minh email trước khi đăng ký',
  otp_required:
    'Đăng nhập sai quá nhiều lần. Nếu mật khẩu đúng, chúng tôi đã gửi một mã đến email của bạn: hãy nhập mã đó để đăng nhập.',
  otp_invalid: texts.otpInvalid,
  otp_used_up: 'Mã này không dùng được nữa. Hãy yêu cầu mã mới.',
  otp_too_soon: 'Vui lòng đợi {{seconds}} giây rồi yêu cầu lại',
  mining_active: 'Bạn đang đào rồi',
  mining_inactive: 'Bạn chưa bắt đầu đào',
  session_quarantined:
    'Việc đào tạm dừng trong lúc chúng tôi kiểm tra phiên của bạn. Bạn không mất gì cả.',
  nothing_to_claim: 'Không có phần thưởng nào để nhận',
  claim_cooldown: 'Vui lòng đợi {{time}} rồi nhận lại',
  task_unknown: texts.taskUnknown,
  task_claimed: 'Bạn đã nhận thưởng của nhiệm vụ này rồi',
  task_ended: 'Nhiệm vụ này đã kết thúc',
  task_full: 'Phần thưởng của nhiệm vụ này đã được nhận hết',
  task_code_wrong: texts.taskCodeWrong,
  referral_refused: 'Không thể dùng mã giới thiệu này',
  referral_unknown: texts.referralUnknown,
  already_posted: 'Khoản này đã được trả rồi',
  insufficient_balance: 'Số dư không đủ',
  kyc_not_open: 'Giấy tờ của bạn đã được gửi rồi',
  document_refused: 'Giấy tờ phải là tệp JPG, PNG hoặc PDF',
  push_unavailable: 'Thông báo chưa được thiết lập ở đây',
  subscription_refused: 'Không thể dùng dịch vụ thông báo của trình duyệt này',
  second_factor_required: 'Hãy nhập mã từ ứng dụng xác thực',
  second_factor_invalid: texts.factorCodeInvalid,
  second_factor_on: 'Mã một lần đã được bật rồi',
  second_factor_off: 'Mã một lần đang tắt',
  second_step_expired: 'Vui lòng đăng nhập lại bằng mật khẩu',
  passkey_refused: 'Không dùng được khóa truy cập này. Vui lòng thử lại',
  passkeys_full: `Bạn chỉ có thể có tối đa ${PASSKEYS_MAX} khóa truy cập`,
}
