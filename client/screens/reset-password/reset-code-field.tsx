import { useFormikContext } from 'formik'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SendCodeButton } from '#client/screens/email-code/send-code-button.tsx'
import { useCountdown } from '#client/screens/email-code/use-countdown.ts'
import { useEarlierCode } from '#client/screens/email-code/use-earlier-code.ts'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { OTP_RESEND_MS } from '#rules/constants'
import { type ForgotOutcome, requestReset } from './password-commands.ts'
import type { ResetValues } from './reset-form.tsx'

export type ResetCodeFieldProps = {
  /** Real time, ms, from which another code may be requested. */
  resendAt: number
  /** The code is used up: only a new one helps. */
  usedUp: boolean
  onOutcome: (outcome: ForgotOutcome, email: string) => void
}

/** The code of a password reset, with the button that requests another one. */
export function ResetCodeField({ resendAt, usedUp, onOutcome }: ResetCodeFieldProps) {
  const { t } = useTranslation('auth')
  const { values, setFieldTouched } = useFormikContext<ResetValues>()
  const clearEarlier = useEarlierCode()
  const [sending, setSending] = useState(false)
  const wait = useCountdown('', resendAt)

  async function resend() {
    setSending(true)
    const earlier = values.otp
    const outcome = await requestReset(values.email)
    setSending(false)
    if (outcome.state === 'waiting') wait.start('', outcome.waitMs)
    if (outcome.state === 'sent') {
      wait.start('', OTP_RESEND_MS)
      if (await clearEarlier(earlier)) await setFieldTouched('otp', false, false)
    }
    onOutcome(outcome, values.email)
  }

  return (
    <FormField
      name="otp"
      label={t('otp.label')}
      inputMode="numeric"
      errorOnSubmit
      autoComplete="one-time-code"
      hint={t('otp.enterDigits')}
      {...AS_TYPED}
      actionBefore={
        <SendCodeButton
          sent
          sending={sending}
          waitSeconds={wait.seconds}
          urgent={usedUp}
          onClick={() => void resend()}
        />
      }
    />
  )
}
