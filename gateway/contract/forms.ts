import { boolean, type InferType, object, ref, string } from 'yup'
import { OTP_LENGTH, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MIN } from '#rules/constants'
import { isUsername } from '#rules/identity'

/**
 * The forms of the specification (§5), used by the screens and again by the gateway. Each field's
 * message is the specification's, to the letter, where it gives one.
 */

const username = string()
  .required(`Username must be at least ${USERNAME_MIN} characters`)
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .test(
    'username',
    'Use 3 to 30 letters, digits, dots, underscores or hyphens',
    (value) => value === undefined || isUsername(value),
  )

const email = string()
  .required('Invalid email address')
  .max(254, 'Invalid email address')
  .email('Invalid email address')

const password = string()
  .required(`Password must be at least ${PASSWORD_MIN} characters`)
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

const otp = string()
  .required(`OTP code must be at least ${OTP_LENGTH} characters`)
  .min(OTP_LENGTH, `OTP code must be at least ${OTP_LENGTH} characters`)
  .max(32, 'Invalid OTP code')

const referralCode = string().max(64, 'Referral code must start with TESP')

export const loginForm = object({
  identifier: string().required('Username or email is required').max(254),
  password: string().required('Password is required').max(PASSWORD_MAX),
  rememberMe: boolean(),
})

/** What POST /api/register takes. */
export const registerBody = object({ username, email, password, referralCode })

/** What the register tab asks for: the body, the repeated password and the code from the mail. */
export const registerForm = registerBody.shape({
  confirmPassword: string()
    .required("Passwords don't match")
    .oneOf([ref('password')], "Passwords don't match"),
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

export type LoginForm = InferType<typeof loginForm>
export type RegisterBody = InferType<typeof registerBody>
export type RegisterForm = InferType<typeof registerForm>
