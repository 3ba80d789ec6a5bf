import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmailField } from '#client/ui/forms/email-field.tsx'
import { FocusOnMount, FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { NewPasswordFields } from '#client/ui/forms/new-password-fields.tsx'
import { resetForm } from '#contract/forms/sign-in'
import { type ForgotOutcome, resetPassword } from './password-commands.ts'
import { ResetCodeField } from './reset-code-field.tsx'

export type ResetValues = {
  email: string
  otp: string
  newPassword: string
  confirmPassword: string
}

export type ResetFormProps = {
  email: string
  /** Real time, ms, from which another code may be requested. */
  resendAt: number
  onRequested: (outcome: ForgotOutcome, email: string) => void
  onDone: () => void
}

export function ResetForm({ email, resendAt, onRequested, onDone }: ResetFormProps) {
  const { t } = useTranslation('auth')
  const [done, setDone] = useState(false)
  const [usedUp, setUsedUp] = useState(false)

  async function submit(values: ResetValues) {
    const rejection = await resetPassword(values)
    setUsedUp(rejection?.usedUp ?? false)
    if (rejection) return { done: false as const, fields: rejection.fields }
    setDone(true)
    onDone()
    return { done: true as const }
  }

  const blank = { email, otp: '', newPassword: '', confirmPassword: '' }
  return (
    <FormikForm initialValues={blank} validationSchema={resetForm} onSubmit={submit}>
      {/* The button that sent the request was removed with its tab and lost the focus. */}
      <FocusOnMount name="otp" ifLost />
      <EmailField autoComplete="username" />
      <ResetCodeField
        resendAt={resendAt}
        usedUp={usedUp}
        onOutcome={(outcome, address) => {
          if (outcome.state === 'sent') setUsedUp(false)
          onRequested(outcome, address)
        }}
      />
      <NewPasswordFields name="newPassword" label={t('reset.newPassword')} />
      <SubmitButton {...(done && { busy: true })}>{t('reset.reset')}</SubmitButton>
    </FormikForm>
  )
}
