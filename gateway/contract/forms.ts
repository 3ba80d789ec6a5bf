import { array, boolean, type InferType, mixed, number, object, ref, string } from 'yup'
import {
  DAY_MS,
  OTP_LENGTH,
  PASSKEY_NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  STATEMENT_DAYS,
  USERNAME_MIN,
} from '#rules/constants'
import { isUsername } from '#rules/members/identity'
import { LANGUAGES, type Language } from '#rules/members/languages'

/**
 * The forms of the specification (§5), validated by the screens and again by the gateway. If the
 * specification gives a message for a field, it is used to the letter.
 */

const username = string()
  .required(`Username must be at least ${USERNAME_MIN} characters`)
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .max(254, 'Use 3 to 30 letters, digits, dots, underscores or hyphens')
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
  /** The code from the mail, after the answer `otp_required`. */
  otp: string().max(32, 'Invalid OTP code'),
})

/** Body of POST /api/register. */
export const registerBody = object({ username, email, password, referralCode })

/** The register tab: the body, the repeated password and the code from the mail. */
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

/** The e-mail of the Forgot Password tab. */
export const forgotForm = object({ email })

/** Body of POST /api/password/reset. */
export const resetBody = object({ email, otp, newPassword: password })

/** The Reset Password tab: the body and the repeated password. */
export const resetForm = resetBody.shape({
  confirmPassword: string()
    .required('Passwords do not match')
    .oneOf([ref('newPassword')], 'Passwords do not match'),
})

/** The Profile tab; user name and e-mail are read-only there. */
export const profileForm = object({
  username: string()
    .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
    .max(254, 'Username cannot be changed'),
  email: string().max(254, 'Please enter a valid email').email('Please enter a valid email'),
  fullName: string().nullable().max(100, 'Full name must be at most 100 characters'),
  phone: string().nullable().max(32, 'Phone number must be at most 32 characters'),
})

/** Body of PATCH /api/user/profile: the whole profile, only an avatar, or only the language. */
export const profileBody = profileForm.shape({
  avatar: string().max(150_000, 'The image is too large'),
  /** The language of mails. */
  language: string<Language>()
    .max(2, 'This language is not available')
    .oneOf([...LANGUAGES], 'This language is not available'),
})

/** Accepted identity documents. */
export const DOCUMENT_TYPES = ['idCard', 'passport', 'drivingLicense'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const kycForm = object({
  documentType: mixed<DocumentType>()
    .oneOf([...DOCUMENT_TYPES], 'Please select a document type')
    .required('Please select a document type'),
})

/** Largest identity document, bytes. */
export const DOCUMENT_BYTES = 5 * 1024 * 1024

export const applyCodeBody = object({
  referralCode: string()
    .required('Please enter a referral code')
    .max(64, 'Referral code must start with TESP'),
})

export const completeTaskBody = object({
  taskId: string().required('Task does not exist').max(100, 'Task does not exist'),
})

/** The form of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY = /^[\w.~-]{8,128}$/

/** Body of POST /api/commands/cancel: the key of the command. */
export const cancelBody = object({
  key: string()
    .required('Idempotency-Key is not usable')
    .max(128, 'Idempotency-Key is not usable')
    .matches(IDEMPOTENCY_KEY, 'Idempotency-Key is not usable'),
})

/** Body of POST /api/user/export: the password proves that the member asks. */
export const exportBody = object({
  password: string().required('Password is required').max(PASSWORD_MAX, 'Password is not correct'),
}).noUnknown()

/** Body of POST /api/user/delete: the password, and the user name as typed by the member. */
export const deleteBody = exportBody
  .shape({
    confirmation: string()
      .required('Type your username to confirm')
      .max(254, 'Type your username exactly as it is'),
  })
  .noUnknown()

/** Body of POST /api/user/sign-ins/end-others. */
export const endOthersBody = exportBody

/** Body of POST /api/user/sign-ins/end: the password, and the `id` of the sign-in. */
export const endSignInBody = exportBody
  .shape({
    signInId: string().required('Sign-in does not exist').max(64, 'Sign-in does not exist'),
  })
  .noUnknown()

/** Body of POST /api/user/password: the old and the new password. */
export const changePasswordBody = exportBody.shape({ newPassword: password }).noUnknown()

/** The form that changes the password: the body and the repeated password. */
export const changePasswordForm = changePasswordBody.shape({
  confirmPassword: string()
    .required('Passwords do not match')
    .oneOf([ref('newPassword')], 'Passwords do not match'),
})

/** Body of POST /api/user/authenticator/set-up. */
export const confirmBody = exportBody

const PASSKEY_UNREADABLE = 'This browser sent no usable passkey'

/** Bytes in base64url. */
const base64url = (max: number) =>
  string()
    .required(PASSKEY_UNREADABLE)
    .max(max, PASSKEY_UNREADABLE)
    .matches(/^[\w-]+$/, PASSKEY_UNREADABLE)

/** The WebAuthn specification limits the id of a credential to 1,023 bytes. */
const credentialId = base64url(1_364)

/** What a browser signs: type, challenge, origin. */
const clientDataJSON = base64url(4_000)

const passkeyName = string()
  .required('Please enter a name')
  .max(PASSKEY_NAME_MAX, `The name must be at most ${PASSKEY_NAME_MAX} characters`)
  .matches(/\S/, 'Please enter a name')

/** Body of POST /api/user/passkeys/options: with a code while one-time codes are on. */
export const passkeyOptionsBody = confirmBody
  .shape({
    code: string().max(32, 'This code is not valid'),
  })
  .noUnknown()

/** The name of a new passkey, and the password that adds it. */
export const addPasskeyForm = confirmBody.shape({ name: passkeyName })

/** Body of POST /api/user/passkeys: a name and the new credential (`PublicKeyCredential.toJSON`). */
export const addPasskeyBody = object({
  name: passkeyName,
  id: credentialId,
  clientDataJSON,
  attestationObject: base64url(40_000),
  transports: array(string().required(PASSKEY_UNREADABLE).max(20, PASSKEY_UNREADABLE)).max(
    10,
    PASSKEY_UNREADABLE,
  ),
}).noUnknown()

const passkeyId = number()
  .required('Passkey does not exist')
  .integer('Passkey does not exist')
  .min(1, 'Passkey does not exist')
  .max(Number.MAX_SAFE_INTEGER, 'Passkey does not exist')

/** Body of POST /api/user/passkeys/rename. */
export const renamePasskeyBody = object({ passkeyId, name: passkeyName }).noUnknown()

/** Body of POST /api/user/passkeys/remove. */
export const removePasskeyBody = confirmBody.shape({ passkeyId }).noUnknown()

/** Body of POST /api/passkey/login: the signature of a passkey (`PublicKeyCredential.toJSON`). */
export const passkeyLoginBody = object({
  id: credentialId,
  clientDataJSON,
  authenticatorData: base64url(4_000),
  signature: base64url(8_000),
  rememberMe: boolean(),
}).noUnknown()

const factorCode = string()
  .required('Please enter the code')
  .max(32, 'This code is not valid')
  .matches(/\S/, 'Please enter the code')

/** A code of the authenticator app, or a recovery code. */
export const factorCodeForm = object({ code: factorCode }).noUnknown()

/** The password and a code: body of POST /api/user/authenticator/remove and …/recovery-codes. */
export const passwordAndCodeBody = confirmBody.shape({ code: factorCode }).noUnknown()

/** The same as `addPasskeyForm` while one-time codes are on. */
export const addPasskeyWithCodeForm = addPasskeyForm.shape({ code: factorCode })

/** The language on the screen, in which reminders are written. */
const language = mixed<Language>()
  .oneOf([...LANGUAGES], 'This language is not available')
  .required('This language is not available')

/** Body of POST /api/reminders/mail. */
export const mailReminderBody = object({
  on: boolean().required('Choose on or off'),
  language,
}).noUnknown()

const NO_SUBSCRIPTION = 'This browser sent no usable push subscription'

/** Body of POST /api/reminders/push: the subscription of a browser (`PushSubscription.toJSON`). */
export const pushDeviceBody = object({
  endpoint: string()
    .required(NO_SUBSCRIPTION)
    .max(2_000, NO_SUBSCRIPTION)
    .matches(/^https?:\/\/[!-~]+$/, NO_SUBSCRIPTION),
  /** 65 bytes in base64url. */
  p256dh: string()
    .required(NO_SUBSCRIPTION)
    .max(87, NO_SUBSCRIPTION)
    .matches(/^[\w-]{87}$/, NO_SUBSCRIPTION),
  /** 16 bytes in base64url. */
  auth: string()
    .required(NO_SUBSCRIPTION)
    .max(22, NO_SUBSCRIPTION)
    .matches(/^[\w-]{22}$/, NO_SUBSCRIPTION),
  /** English if absent: a service worker cannot read the language of the page. */
  language: language.optional(),
}).noUnknown()

/** Body of POST /api/reminders/push/remove: the `id` of the device. */
export const removeDeviceBody = object({
  deviceId: number()
    .required('Device does not exist')
    .integer('Device does not exist')
    .min(1, 'Device does not exist')
    .max(Number.MAX_SAFE_INTEGER, 'Device does not exist'),
}).noUnknown()

/** Whether a text is a day of the calendar such as `2026-03-01`; not `2026-02-30`. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${text}T`)
}

/** No row of the ledger is older; years before it need other notations in SQL. */
const FIRST_DAY = '2000-01-01'

const day = string()
  .max(10, 'Enter a date as year-month-day')
  .test(
    'day',
    'Enter a date as year-month-day',
    (value) => value === undefined || (isDay(value) && value >= FIRST_DAY),
  )

/** The period of a statement: UTC days, both included. Without them it is the last 30 days. */
export const statementForm = object({
  from: day,
  to: day
    .test(
      'order',
      'The last day must not be before the first one',
      // A field that is validated alone has no parent.
      (to, { parent }) => !parent?.from || !to || parent.from <= to,
    )
    .test('period', `A statement covers at most ${STATEMENT_DAYS} days`, (to, { parent }) => {
      const days = (Date.parse(to ?? '') - Date.parse(parent?.from ?? '')) / DAY_MS
      return !(days >= STATEMENT_DAYS)
    }),
})

/** Values of the register tab. */
export type RegisterValues = InferType<typeof registerForm>
