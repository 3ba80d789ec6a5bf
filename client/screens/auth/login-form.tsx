import { Form, Formik, type FormikHelpers } from 'formik'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { setUser } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { TakeEarlyInput } from '#client/loading/take-early-input.tsx'
import { Button } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { FocusFirstError } from '#client/ui/focus-first-error.tsx'
import { AS_TYPED, FormField, FormPasswordField } from '#client/ui/form-field.tsx'
import { toast } from '#client/ui/toast.tsx'
import { loginForm } from '#contract/forms'
import { SignInCodeField } from './sign-in-code-field.tsx'

type Values = { identifier: string; password: string; rememberMe: boolean; otp: string }

const blank: Values = { identifier: '', password: '', rememberMe: false, otp: '' }

/**
 * Signs in; the route guard leaves /auth as soon as the user is set. Resolves to the code of the
 * server's rejection.
 */
async function signIn({ otp, ...values }: Values): Promise<string | undefined> {
  const code = otp.trim()
  const body = { ...values, identifier: values.identifier.trim(), ...(code && { otp: code }) }
  try {
    const user = await call('POST /api/login', { body })
    setUser(user)
    const { username } = user
    toast({ title: i18n.t('auth:loginDone'), description: i18n.t('auth:welcome', { username }) })
  } catch (error) {
    toast({
      title: i18n.t('auth:loginFailed'),
      description: messageOf(error, i18n.t('unreachable')),
      variant: 'destructive',
    })
    return error instanceof ApiError ? error.answer?.code : undefined
  }
}

export function LoginForm() {
  const { t } = useTranslation('auth')
  const [needsCode, setNeedsCode] = useState(false)

  async function submit(values: Values, { setFieldValue }: FormikHelpers<Values>) {
    const rejection = await signIn(values)
    if (rejection === 'otp_required') setNeedsCode(true)
    // An empty field: the next login requests a new code.
    if (rejection === 'otp_used_up') await setFieldValue('otp', '')
  }

  return (
    <Formik initialValues={blank} validationSchema={loginForm} onSubmit={submit}>
      {({ values, isSubmitting, setFieldValue }) => (
        // `dialog`: submitted before its code is loaded, the form must not put a password into the URL.
        <Form noValidate method="dialog" className="flex flex-col gap-2">
          <TakeEarlyInput />
          <FocusFirstError />
          <FormField
            name="identifier"
            label={t('identifier')}
            autoComplete="username"
            {...AS_TYPED}
          />
          <FormPasswordField
            name="password"
            label={t('password')}
            autoComplete="current-password"
          />
          {needsCode && <SignInCodeField />}
          <div className="flex items-center justify-between gap-3">
            <Checkbox
              name="rememberMe"
              label={t('rememberMe')}
              checked={values.rememberMe}
              onCheckedChange={(checked) => void setFieldValue('rememberMe', checked)}
            />
            <Link
              href="/reset-password"
              className="rounded-chip py-3 text-sm text-muted underline decoration-line-strong underline-offset-4 transition hover:text-ink"
            >
              {t('forgotPassword')}
            </Link>
          </div>
          <Button type="submit" size="large" busy={isSubmitting} className="mt-2 w-full">
            {t('login')}
          </Button>
        </Form>
      )}
    </Formik>
  )
}
