import { object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { PASSWORD_MAX } from '#rules/constants'
import { factorCode, password, repeated, required } from './fields.ts'

/** Body of every route that asks for the password again. What extends it refuses unknown fields too. */
export const confirmBody = object({
  password: string().required(API_TEXTS.passwordMissing).max(PASSWORD_MAX, API_TEXTS.passwordWrong),
}).noUnknown()

/** Body of POST /api/user/delete: the password, and the user name as typed by the member. */
export const deleteBody = confirmBody.shape({
  confirmation: string()
    .required(API_TEXTS.confirmationMissing)
    .max(254, API_TEXTS.confirmationWrong),
})

/** Body of POST /api/user/sign-ins/end: the password, and the `id` of the sign-in. */
export const endSignInBody = confirmBody.shape({ signInId: required(64, API_TEXTS.signInUnknown) })

/** Body of POST /api/user/password: the old and the new password. */
export const changePasswordBody = confirmBody.shape({ newPassword: password })

/** The form that changes the password: the body and the repeated password. */
export const changePasswordForm = changePasswordBody.shape({
  confirmPassword: repeated('newPassword', API_TEXTS.passwordsDifferOnReset),
})

/** The password and a code: body of POST /api/user/authenticator/remove and …/recovery-codes. */
export const passwordAndCodeBody = confirmBody.shape({ code: factorCode })
