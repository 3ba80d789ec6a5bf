import { useFormikContext } from 'formik'
import type { Otp } from '#client/auth/use-otp.ts'
import { Button } from '#client/ui/button.tsx'
import type { FieldStatus } from '#client/ui/field.tsx'
import { FormField } from '#client/ui/form-field.tsx'
import { OTP_LENGTH } from '#rules/constants'

/** The code from the mail, with the buttons that ask for it and that verify it. */
export function OtpField({ otp, canSend }: { otp: Otp; canSend: boolean }) {
  const { values } = useFormikContext<{ otp: string }>()
  const canVerify = values.otp.length >= OTP_LENGTH && !otp.verified
  return (
    <FormField
      name="otp"
      label="OTP code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      status={statusOf(otp)}
      actionBefore={
        <Button
          variant="secondary"
          size="field"
          busy={otp.sending}
          disabled={!canSend || otp.waitSeconds > 0}
          onClick={() => void otp.send()}
        >
          {otp.sent ? 'Resend OTP' : 'Send OTP'}
        </Button>
      }
      action={
        canVerify && (
          <Button size="field" busy={otp.verifying} onClick={() => void otp.verify(values.otp)}>
            Verify
          </Button>
        )
      }
    />
  )
}

function statusOf({ sent, verified, waitSeconds }: Otp): FieldStatus | undefined {
  if (verified) return { tone: 'good', text: 'E-mail address verified' }
  if (waitSeconds > 0) return { tone: 'quiet', text: `A new code can be sent in ${waitSeconds} s` }
  return sent ? { tone: 'quiet', text: 'Enter the 6 digits from the e-mail' } : undefined
}
