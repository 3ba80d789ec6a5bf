import { Form, Formik, type FormikHelpers } from 'formik'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { EmailField } from '#client/ui/forms/email-field.tsx'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
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
  const form = useRef<HTMLFormElement>(null)

  // The button that sent the request was removed with its tab and lost the focus.
  useEffect(() => {
    if (document.activeElement !== document.body) return
    form.current?.querySelector<HTMLElement>('[name="otp"]')?.focus()
  }, [])

  async function submit(values: ResetValues, { setErrors }: FormikHelpers<ResetValues>) {
    const rejection = await resetPassword(values)
    setUsedUp(rejection?.usedUp ?? false)
    if (rejection) return setErrors(rejection.fields)
    setDone(true)
    onDone()
  }

  const blank = { email, otp: '', newPassword: '', confirmPassword: '' }
  return (
    <Formik initialValues={blank} validationSchema={resetForm} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form ref={form} noValidate className="flex flex-col gap-2">
          <FocusFirstError />
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
          <Button type="submit" size="large" busy={isSubmitting || done} className="mt-2 w-full">
            {t('reset.reset')}
          </Button>
        </Form>
      )}
    </Formik>
  )
}
