import { mixed, number, object, ref, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { OTP_LENGTH, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MIN } from '#rules/constants'
import { isUsername } from '#rules/members/usernames-and-emails'

/*
 * Fields of several forms. Screens validate the forms of the specification (§5), and the gateway
 * validates them again. If the specification gives a message for a field, it is used to the letter.
 */

/** A text that must be there, of at most `max` characters; `message` is for any other. */
export const required = (max: number, message: string) =>
  string().required(message).max(max, message)

/** One of these texts; `message` is for any other. */
export const oneOf = <T extends string>(texts: readonly T[], message: string) =>
  mixed<T>()
    .oneOf([...texts], message)
    .required(message)

/** Signs of a typed user name, which normalisation may shorten. */
const USERNAME_SIGNS = 254

export const username = string()
  .required(API_TEXTS.usernameShort)
  .min(USERNAME_MIN, API_TEXTS.usernameShort)
  .max(USERNAME_SIGNS, API_TEXTS.usernameSigns)
  // Runs also after a failed `max`: of a long text, normalisation makes up to 18 times as many signs.
  .test(
    'username',
    API_TEXTS.usernameSigns,
    (value) => value === undefined || (value.length <= USERNAME_SIGNS && isUsername(value)),
  )

export const email = required(254, API_TEXTS.emailInvalid).email(API_TEXTS.emailInvalid)

export const password = string()
  .required(API_TEXTS.passwordShort)
  .min(PASSWORD_MIN, API_TEXTS.passwordShort)
  .max(PASSWORD_MAX, API_TEXTS.passwordLong)

/** A code as it is compared: people type and paste it in groups. */
export const withoutBlanks = (code: string): string => code.replace(/\s+/g, '')

export const otp = string()
  .required(API_TEXTS.otpShort)
  .min(OTP_LENGTH, API_TEXTS.otpShort)
  .max(32, API_TEXTS.otpInvalid)
  .test('digits', API_TEXTS.otpShort, (code = '') => withoutBlanks(code).length >= OTP_LENGTH)

export const factorCode = string()
  .required(API_TEXTS.factorCodeMissing)
  .max(32, API_TEXTS.factorCodeInvalid)
  .matches(/\S/, API_TEXTS.factorCodeMissing)

/** A code of the authenticator app, or a recovery code, without a password. */
export const factorCodeForm = object({ code: factorCode }).noUnknown()

/** A new password, typed a second time; `message` is for texts that differ. */
export const repeated = (field: string, message: string) =>
  string()
    .required(message)
    .oneOf([ref(field)], message)

/** The `id` of a row; `message` is for an id that no row can have. */
export const rowId = (message: string) =>
  number().required(message).integer(message).min(1, message).max(Number.MAX_SAFE_INTEGER, message)
