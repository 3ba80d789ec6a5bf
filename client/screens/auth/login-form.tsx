import type { FormikHelpers } from 'formik'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { TakeEarlyInput } from '#client/loading/take-early-input.tsx'
import { Checkbox } from '#client/ui/forms/checkbox.tsx'
import { AS_TYPED, FormField, FormPasswordField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { loginForm } from '#contract/forms/sign-in'
import { logIn } from './login/login.ts'
import { PasskeyButton } from './login/passkey-button.tsx'
import { SecondStepForm } from './login/second-step-form.tsx'
import { SignInCodeField } from './sign-in-code-field.tsx'

type Values = { identifier: string; password: string; rememberMe: boolean; otp: string }

const blank: Values = { identifier: '', password: '', rememberMe: false, otp: '' }

/** The login with a password or a passkey, and the step after the password if the member has one. */
export function LoginForm() {
  const [isSecondStep, setSecondStep] = useState(false)
  return isSecondStep ? (
    <SecondStepForm onBack={() => setSecondStep(false)} />
  ) : (
    <FirstStepForm onSecondStep={() => setSecondStep(true)} />
  )
}

function FirstStepForm({ onSecondStep }: { onSecondStep: () => void }) {
  const { t } = useTranslation('auth')
  const [needsCode, setNeedsCode] = useState(false)

  async function submit(values: Values, { setFieldValue }: FormikHelpers<Values>) {
    const { identifier, otp, ...rest } = values
    const code = otp.trim()
    const body = { ...rest, identifier: identifier.trim(), ...(code && { otp: code }) }
    const rejection = await logIn(body)
    if (rejection === 'second_factor_required') onSecondStep()
    if (rejection === 'otp_required') setNeedsCode(true)
    // An empty field: the next login requests a new code.
    if (rejection === 'otp_used_up') await setFieldValue('otp', '')
  }

  return (
    // `dialog`: submitted before its code is loaded, the form must not put a password into the URL.
    <FormikForm
      initialValues={blank}
      validationSchema={loginForm}
      onSubmit={submit}
      method="dialog"
    >
      {({ values, setFieldValue }) => (
        <>
          <TakeEarlyInput />
          <FormField
            name="identifier"
            label={t('identifier')}
            autoComplete="username webauthn"
            {...AS_TYPED}
          />
          <FormPasswordField
            name="password"
            label={t('password')}
            autoComplete="current-password"
          />
          {needsCode && <SignInCodeField />}
          <div className="flex flex-wrap items-center justify-between gap-x-3">
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
          <SubmitButton>{t('login')}</SubmitButton>
          <PasskeyButton />
        </>
      )}
    </FormikForm>
  )
}
