import { type FormikHelpers, useFormik } from 'formik'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { setUser } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import { type RegisterValues, registerForm } from '#contract/forms/sign-in'
import { normalizeEmail, normalizeUsername } from '#rules/members/identity'
import { isAvailable, useEmailCheck, useUsernameCheck } from './availability.ts'
import { useOtp } from './use-otp.ts'

type Values = Required<{ [K in keyof RegisterValues]: string }>

/** State of the register form, including the server's checks while it is filled in. */
export function useRegistration(referralCode: string) {
  const formik = useFormik<Values>({
    initialValues: {
      username: '',
      email: '',
      otp: '',
      password: '',
      confirmPassword: '',
      referralCode,
    },
    validationSchema: registerForm,
    onSubmit: submit,
  })
  const username = useUsernameCheck(formik.values.username)
  const email = useEmailCheck(formik.values.email)
  const otp = useOtp(formik.values.email)
  const namesFree = isAvailable(username) && isAvailable(email)

  async function submit(values: Values, helpers: FormikHelpers<Values>) {
    if (!namesFree) return
    if (!otp.verified && !(await otp.verify(values.otp, true))) return
    try {
      const user = await call('POST /api/register', { body: bodyOf(values) })
      setUser(user)
      toast({
        title: i18n.t('auth:registerDone'),
        description: i18n.t('auth:registerDoneText'),
      })
    } catch (error) {
      toast({
        title: i18n.t('auth:registerFailed'),
        description: messageOf(error, i18n.t('unreachable')),
        variant: 'destructive',
      })
      showRejection(error, helpers)
    }
  }

  function showRejection(error: unknown, helpers: FormikHelpers<Values>) {
    if (!(error instanceof ApiError) || !error.answer) return
    const { code, message, fields } = error.answer
    if (fields) helpers.setErrors(fields)
    if (code === 'username_taken') helpers.setFieldError('username', message)
    if (code === 'email_taken') helpers.setFieldError('email', message)
    if (code === 'email_not_verified') otp.clearVerified()
  }

  return { formik, username, email, otp, canRegister: namesFree && otp.verified }
}

function bodyOf({ username, email, password, referralCode }: Values) {
  return {
    username: normalizeUsername(username),
    email: normalizeEmail(email),
    password,
    referralCode: referralCode.trim() || undefined,
  }
}
