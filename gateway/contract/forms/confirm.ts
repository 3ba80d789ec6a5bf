import { object, string } from 'yup'
import { PASSWORD_MAX } from '#rules/constants'
import { factorCode, password, repeated } from './fields.ts'

/** The body of every route that asks for the password again: it proves that the member asks. */
export const confirmBody = object({
  password: string().required('Password is required').max(PASSWORD_MAX, 'Password is not correct'),
}).noUnknown()

/** Body of POST /api/user/delete: the password, and the user name as typed by the member. */
export const deleteBody = confirmBody
  .shape({
    confirmation: string()
      .required('Type your username to confirm')
      .max(254, 'Type your username exactly as it is'),
  })
  .noUnknown()

/** Body of POST /api/user/sign-ins/end: the password, and the `id` of the sign-in. */
export const endSignInBody = confirmBody
  .shape({
    signInId: string().required('Sign-in does not exist').max(64, 'Sign-in does not exist'),
  })
  .noUnknown()

/** Body of POST /api/user/password: the old and the new password. */
export const changePasswordBody = confirmBody.shape({ newPassword: password }).noUnknown()

/** The form that changes the password: the body and the repeated password. */
export const changePasswordForm = changePasswordBody.shape({
  confirmPassword: repeated('newPassword', 'Passwords do not match'),
})

/** The password and a code: body of POST /api/user/authenticator/remove and …/recovery-codes. */
export const passwordAndCodeBody = confirmBody.shape({ code: factorCode }).noUnknown()
