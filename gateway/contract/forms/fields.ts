import { number, object, ref, string } from 'yup'
import { OTP_LENGTH, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MIN } from '#rules/constants'
import { isUsername } from '#rules/members/identity'

/*
 * Fields of several forms. Screens validate the forms of the specification (§5), and the gateway
 * validates them again. If the specification gives a message for a field, it is used to the letter.
 */

export const username = string()
  .required(`Username must be at least ${USERNAME_MIN} characters`)
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .max(254, 'Use 3 to 30 letters, digits, dots, underscores or hyphens')
  .test(
    'username',
    'Use 3 to 30 letters, digits, dots, underscores or hyphens',
    (value) => value === undefined || isUsername(value),
  )

export const email = string()
  .required('Invalid email address')
  .max(254, 'Invalid email address')
  .email('Invalid email address')

export const password = string()
  .required(`Password must be at least ${PASSWORD_MIN} characters`)
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

export const otp = string()
  .required(`OTP code must be at least ${OTP_LENGTH} characters`)
  .min(OTP_LENGTH, `OTP code must be at least ${OTP_LENGTH} characters`)
  .max(32, 'Invalid OTP code')

export const factorCode = string()
  .required('Please enter the code')
  .max(32, 'This code is not valid')
  .matches(/\S/, 'Please enter the code')

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
