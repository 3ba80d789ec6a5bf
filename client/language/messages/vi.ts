/**
 * The server's messages and those of the forms, which are English in the API (Specification §5, §8).
 * The test `scripts/languages/server-messages.test.ts` fails if one has no text here.
 */
export const messages: Readonly<Record<string, string>> = {
  // Forms
  'Username must be at least {{count}} characters':
    'Tên người dùng phải có ít nhất {{count}} ký tự',
  'Use 3 to 30 letters, digits, dots, underscores or hyphens':
    'Hãy dùng 3 đến 30 chữ cái, chữ số, dấu chấm, gạch dưới hoặc gạch nối',
  'Invalid email address': 'Địa chỉ email không hợp lệ',
  'Password must be at least {{count}} characters': 'Mật khẩu phải có ít nhất {{count}} ký tự',
  'Password must be at most {{count}} characters': 'Mật khẩu chỉ được có tối đa {{count}} ký tự',
  'OTP code must be at least {{count}} characters': 'Mã OTP phải có ít nhất {{count}} ký tự',
  'Invalid OTP code': 'Mã OTP không hợp lệ',
  'Referral code must start with TESP': 'Mã giới thiệu phải bắt đầu bằng TESP',
  'Username or email is required': 'Vui lòng nhập tên người dùng hoặc email',
  'Password is required': 'Vui lòng nhập mật khẩu',
  "Passwords don't match": 'Mật khẩu không khớp',
  'Passwords do not match': 'Mật khẩu không khớp',
  'Please enter a valid email address': 'Vui lòng nhập địa chỉ email hợp lệ',
  'Please enter OTP code': 'Vui lòng nhập mã OTP',
  'Please enter a valid email': 'Vui lòng nhập email hợp lệ',
  'Username cannot be changed': 'Không thể đổi tên người dùng',
  'Email cannot be changed': 'Không thể đổi email',
  'Full name must be at most 100 characters': 'Họ và tên chỉ được có tối đa 100 ký tự',
  'Phone number must be at most 32 characters': 'Số điện thoại chỉ được có tối đa 32 ký tự',
  'This language is not available': 'Ngôn ngữ này chưa được hỗ trợ',
  'Please select a document type': 'Vui lòng chọn loại giấy tờ',
  'Please choose a document': 'Vui lòng chọn tệp giấy tờ',
  'Please enter a referral code': 'Vui lòng nhập mã giới thiệu',
  'Type your username to confirm': 'Nhập tên người dùng của bạn để xác nhận',
  'Type your username exactly as it is': 'Hãy nhập chính xác tên người dùng của bạn',

  // Sign-in, registration, codes
  'Please sign in': 'Vui lòng đăng nhập',
  'Invalid username or password': 'Tên người dùng hoặc mật khẩu không đúng',
  'Password is not correct': 'Mật khẩu không đúng',
  'Your account is frozen: {{reason}}': 'Tài khoản của bạn đang bị khóa: {{reason}}',
  'Too many failed logins. If the password is right, we have sent a code to your email: enter it to log in.':
    'Đăng nhập sai quá nhiều lần. Nếu mật khẩu đúng, chúng tôi đã gửi một mã đến email của bạn: hãy nhập mã đó để đăng nhập.',
  'Please wait {{seconds}}s before asking again': 'Vui lòng đợi {{seconds}} giây rồi yêu cầu lại',
  'Too many codes for this email address': 'Đã gửi quá nhiều mã đến địa chỉ email này',
  'This code is used up. Request a new one.': 'Mã này không dùng được nữa. Hãy yêu cầu mã mới.',
  'Please verify your email before registering': 'Vui lòng xác minh email trước khi đăng ký',
  'Invalid username': 'Tên người dùng không hợp lệ',
  'Username is already taken': 'Tên người dùng đã có người sử dụng',
  'Username is available': 'Bạn có thể dùng tên người dùng này',
  'Email is already in use': 'Email đã được sử dụng',
  'Email is available': 'Bạn có thể dùng email này',
  'OTP code has been sent to your email': 'Mã OTP đã được gửi đến email của bạn',
  'OTP code has been verified successfully': 'Mã OTP đã được xác minh thành công',
  'If your email is registered, you will receive password reset instructions':
    'Nếu email của bạn đã được đăng ký, bạn sẽ nhận được hướng dẫn đặt lại mật khẩu',
  'You can now log in with your new password': 'Bạn có thể đăng nhập bằng mật khẩu mới',
  'Your password has been changed': 'Mật khẩu của bạn đã được thay đổi',
  'The sign-in has ended': 'Phiên đăng nhập đã kết thúc',
  'All other sign-ins have ended': 'Mọi phiên đăng nhập khác đã kết thúc',
  'Your account has been deleted': 'Tài khoản của bạn đã bị xóa',
  'Unknown device': 'Thiết bị không xác định',
  'Unknown browser on {{system}}': 'Trình duyệt không xác định trên {{system}}',
  'Sign-in does not exist': 'Phiên đăng nhập không tồn tại',

  // Passkeys and one-time codes
  'This passkey could not be used. Please try again':
    'Không dùng được khóa truy cập này. Vui lòng thử lại',
  'This passkey has been added before': 'Khóa truy cập này đã được thêm trước đó',
  'You can have at most {{count}} passkeys': 'Bạn chỉ có thể có tối đa {{count}} khóa truy cập',
  'Passkey does not exist': 'Khóa truy cập không tồn tại',
  'This browser sent no usable passkey': 'Trình duyệt này không gửi khóa truy cập dùng được',
  'Please enter a name': 'Vui lòng nhập tên',
  'The name must be at most {{count}} characters': 'Tên chỉ được có tối đa {{count}} ký tự',
  'Please enter the code': 'Vui lòng nhập mã',
  'This code is not valid': 'Mã này không hợp lệ',
  'Enter the code from your authenticator app': 'Hãy nhập mã từ ứng dụng xác thực',
  'Please log in again with your password': 'Vui lòng đăng nhập lại bằng mật khẩu',
  'One-time codes are on already': 'Mã một lần đã được bật rồi',
  'One-time codes are off': 'Mã một lần đang tắt',
  'This took too long. Please start again':
    'Thao tác mất quá nhiều thời gian. Vui lòng bắt đầu lại',

  // Referral codes
  'Referral code is valid': 'Mã giới thiệu hợp lệ',
  'Referral code does not exist': 'Mã giới thiệu không tồn tại',
  'Referral code applied successfully': 'Đã áp dụng mã giới thiệu thành công',
  'This referral code does not take new members': 'Mã giới thiệu này không nhận thêm thành viên',
  'You cannot use your own referral code': 'Bạn không thể dùng mã giới thiệu của chính mình',
  'You cannot use the code of a member of your own team':
    'Bạn không thể dùng mã của một thành viên trong đội nhóm của mình',
  'This email address was counted in a team before':
    'Địa chỉ email này đã từng được tính trong một đội nhóm',
  'You have already applied a referral code': 'Bạn đã áp dụng một mã giới thiệu rồi',

  // Mining and tasks
  'Mining is already active': 'Bạn đang đào rồi',
  'Mining is not active': 'Bạn chưa bắt đầu đào',
  'Mining is paused while we check your session. Nothing is lost.':
    'Việc đào tạm dừng trong lúc chúng tôi kiểm tra phiên của bạn. Bạn không mất gì cả.',
  'No rewards to claim': 'Không có phần thưởng nào để nhận',
  'Please wait {{time}} before claiming again': 'Vui lòng đợi {{time}} rồi nhận lại',
  'Task does not exist': 'Nhiệm vụ không tồn tại',
  'You have already claimed the reward for this task': 'Bạn đã nhận thưởng của nhiệm vụ này rồi',
  'You have received the reward for this task! Check your wallet balance.':
    'Bạn đã nhận được phần thưởng của nhiệm vụ này! Hãy kiểm tra số dư trong ví.',
  'This was paid already': 'Khoản này đã được trả rồi',
  'The balance is too low for this': 'Số dư không đủ',

  // Entries of the wallet and rewards of the team
  'Automatic mining credit': 'Cộng thưởng đào tự động',
  '{{count}} automatic mining credits': '{{count}} lần cộng thưởng đào tự động',
  'Claimed mining rewards': 'Nhận phần thưởng đào',
  'Claimed USDT rewards': 'Nhận phần thưởng USDT',
  'Task reward: {{task}}': 'Thưởng nhiệm vụ: {{task}}',
  'Team milestone: {{count}} members': 'Mốc đội nhóm: {{count}} thành viên',

  // Pictures and documents
  'Please select an avatar': 'Vui lòng chọn ảnh đại diện',
  'The image is too large': 'Ảnh quá lớn',
  'The image is not a JPEG': 'Ảnh không phải là tệp JPEG',
  'The image must fit into {{width}} × {{height}} pixels':
    'Ảnh phải vừa trong {{width}} × {{height}} pixel',
  'Your documents have been submitted already': 'Giấy tờ của bạn đã được gửi rồi',
  'Your documents have been submitted and are pending review':
    'Giấy tờ của bạn đã được gửi và đang chờ xét duyệt',
  'The document must be a JPG, PNG or PDF file': 'Giấy tờ phải là tệp JPG, PNG hoặc PDF',
  'The document must not be larger than 5 MB': 'Giấy tờ không được lớn hơn 5 MB',
  'There is no such document': 'Không có giấy tờ này',

  // Any request
  'Too many requests. Please try again later': 'Quá nhiều yêu cầu. Vui lòng thử lại sau',
  'Service temporarily unavailable': 'Dịch vụ tạm thời không khả dụng',
  'Something went wrong': 'Đã xảy ra lỗi',
  'This command was cancelled': 'Thao tác này đã bị hủy',
  'Not found': 'Không tìm thấy',
  'Bad request': 'Yêu cầu không hợp lệ',
  'The request is too large': 'Yêu cầu quá lớn',
  'Requests from other sites are not allowed': 'Không cho phép yêu cầu từ trang khác',
  'Enter a date as year-month-day': 'Hãy nhập ngày theo dạng năm-tháng-ngày',
  'The last day must not be before the first one': 'Ngày cuối không được trước ngày đầu',
  'A statement covers at most {{count}} days': 'Sao kê chỉ bao gồm tối đa {{count}} ngày',
  'This browser sent no usable push subscription':
    'Trình duyệt này không gửi đăng ký thông báo dùng được',
  'Device does not exist': 'Thiết bị không tồn tại',
  'Notifications are not set up here': 'Thông báo chưa được thiết lập ở đây',
  'The push service of this browser cannot be used here':
    'Không thể dùng dịch vụ thông báo của trình duyệt này',
}
