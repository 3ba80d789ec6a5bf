import { boolean, type InferType, object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { PASSWORD_MAX } from '#rules/constants'
import { email, otp, password, repeated, required, username } from './fields.ts'

/** Longest proof: a challenge and its solution as JSON have some 700 characters. */
const PROOF_MAX = 2_000

const referralCode = string().max(64, API_TEXTS.referralPrefix)

export const loginForm = object({
  identifier: string().required(API_TEXTS.identifierMissing).max(254, API_TEXTS.emailInvalid),
  password: string().required(API_TEXTS.passwordMissing).max(PASSWORD_MAX, API_TEXTS.passwordLong),
  rememberMe: boolean(),
  /** The code from the mail, after the answer `otp_required`. */
  otp: string().max(32, API_TEXTS.otpInvalid),
})

/** Body of POST /api/register. */
export const registerBody = object({ username, email, password, referralCode })

/** The register tab: the body, the repeated password and the code from the mail. */
export const registerForm = registerBody.shape({
  confirmPassword: repeated('password', API_TEXTS.passwordsDiffer),
  otp,
})

export const sendOtpForm = object({
  email: required(254, API_TEXTS.emailAddress).email(API_TEXTS.emailAddress),
})

/** Body of POST /api/verify/send-otp. */
export const sendOtpBody = sendOtpForm.shape({
  /** The challenge of an answer `proof_required` with its solution, as JSON. */
  proof: string().max(PROOF_MAX),
})

export const verifyOtpForm = sendOtpForm.shape({
  otp: string().required(API_TEXTS.otpMissing).max(32, API_TEXTS.otpInvalid),
})

/** The e-mail of the Forgot Password tab. */
export const forgotForm = object({ email })

/** Body of POST /api/password/reset. */
export const resetBody = object({ email, otp, newPassword: password })

/** The Reset Password tab: the body and the repeated password. */
export const resetForm = resetBody.shape({
  confirmPassword: repeated('newPassword', API_TEXTS.passwordsDifferOnReset),
})

/** Values of the register tab. */
export type RegisterValues = InferType<typeof registerForm>
