import { Form, FormikProvider } from 'formik'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import {
  referralCodeStatus,
  useReferralCodeCheck,
} from '#client/screens/referral-code/referral-code-check.ts'
import { EmailField } from '#client/ui/forms/email-field.tsx'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { FocusFirstError, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { NewPasswordFields } from '#client/ui/forms/new-password-fields.tsx'
import { availabilityStatus, isAvailable, isTaken } from './availability.ts'
import { OtpField } from './otp-field.tsx'
import { RegisterHints } from './register-hints.tsx'
import { useRegistration } from './use-registration.ts'

export function RegisterForm({ referralCode }: { referralCode: string }) {
  const { t } = useTranslation('auth')
  const { formik, username, email, otp, canRegister } = useRegistration(referralCode)
  const referral = useReferralCodeCheck(formik.values.referralCode)

  // Browsers ignore Enter while the submit button is disabled, so the errors would stay hidden.
  function submitOnEnter(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || canRegister) return
    event.preventDefault()
    if (!formik.isSubmitting) void formik.submitForm()
  }

  return (
    <FormikProvider value={formik}>
      <Form noValidate onKeyDown={submitOnEnter} className="flex flex-col gap-2">
        <FocusFirstError />
        <FormField
          name="username"
          label={t('username')}
          autoComplete="username"
          status={availabilityStatus(username, t('usernameCheckFailed'))}
          {...AS_TYPED}
        />
        <EmailField status={availabilityStatus(email, t('emailCheckFailed'))} />
        <OtpField otp={otp} canSend={isAvailable(email)} />
        <NewPasswordFields name="password" label={t('password')} />
        <FormField
          name="referralCode"
          label={t('referralCode')}
          labelEnd={<span className="text-xs text-muted">{t('optional')}</span>}
          autoComplete="off"
          inputClassName="font-mono"
          status={referralCodeStatus(referral)}
          {...AS_TYPED}
        />
        <SubmitButton
          disabled={!canRegister}
          aria-describedby="register-hints"
          className="mt-1 w-full"
        >
          {t('register')}
        </SubmitButton>
        <RegisterHints
          id="register-hints"
          usernameTaken={isTaken(username)}
          emailRefused={isTaken(email) || Boolean(formik.touched.email && formik.errors.email)}
          verified={otp.verified}
        />
      </Form>
    </FormikProvider>
  )
}
