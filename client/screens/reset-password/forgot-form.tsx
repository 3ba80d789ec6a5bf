import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { waitText } from '#client/screens/email-code/send-code-button.tsx'
import { useCountdown } from '#client/screens/email-code/use-countdown.ts'
import { EmailField } from '#client/ui/forms/email-field.tsx'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { forgotForm } from '#contract/forms/sign-in'
import { type ForgotOutcome, requestReset } from './password-commands.ts'

export type ForgotFormProps = {
  email: string
  onOutcome: (outcome: ForgotOutcome, email: string) => void
}

export function ForgotForm({ email, onOutcome }: ForgotFormProps) {
  const { t } = useTranslation('auth')
  const [refusal, setRefusal] = useState('')
  const wait = useCountdown('')

  async function submit(values: { email: string }) {
    const outcome = await requestReset(values.email)
    if (outcome.state === 'waiting') {
      setRefusal(outcome.message)
      wait.start('', outcome.waitMs)
    }
    onOutcome(outcome, values.email)
  }

  const status: FieldStatus | undefined =
    wait.seconds > 0 ? { tone: 'doubt', text: refusal } : undefined
  return (
    <FormikForm initialValues={{ email }} validationSchema={forgotForm} onSubmit={submit}>
      <EmailField status={status} />
      <SubmitButton>
        {t('reset.send')}
        {wait.seconds > 0 && (
          <span aria-hidden="true" className="figure text-sm">
            {waitText(wait.seconds)}
          </span>
        )}
      </SubmitButton>
    </FormikForm>
  )
}
