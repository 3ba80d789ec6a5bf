import { boolean, type InferType, object, string } from 'yup'
import { PASSWORD_MAX } from '#rules/constants'
import { email, otp, password, repeated, username } from './fields.ts'

const referralCode = string().max(64, 'Referral code must start with TESP')

export const loginForm = object({
  identifier: string().required('Username or email is required').max(254),
  password: string().required('Password is required').max(PASSWORD_MAX),
  rememberMe: boolean(),
  /** The code from the mail, after the answer `otp_required`. */
  otp: string().max(32, 'Invalid OTP code'),
})

/** Body of POST /api/register. */
export const registerBody = object({ username, email, password, referralCode })

/** The register tab: the body, the repeated password and the code from the mail. */
export const registerForm = registerBody.shape({
  confirmPassword: repeated('password', "Passwords don't match"),
  otp,
})

export const sendOtpForm = object({
  email: string()
    .required('Please enter a valid email address')
    .max(254, 'Please enter a valid email address')
    .email('Please enter a valid email address'),
})

export const verifyOtpForm = sendOtpForm.shape({
  otp: string().required('Please enter OTP code').max(32, 'Invalid OTP code'),
})

/** The e-mail of the Forgot Password tab. */
export const forgotForm = object({ email })

/** Body of POST /api/password/reset. */
export const resetBody = object({ email, otp, newPassword: password })

/** The Reset Password tab: the body and the repeated password. */
export const resetForm = resetBody.shape({
  confirmPassword: repeated('newPassword', 'Passwords do not match'),
})

/** Values of the register tab. */
export type RegisterValues = InferType<typeof registerForm>
