import { useFormikContext } from 'formik'
import type { MouseEvent } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { FieldStatus } from '#client/ui/field.tsx'
import { AS_TYPED, FormField } from '#client/ui/form-field.tsx'
import { OTP_LENGTH } from '#rules/constants'
import type { Otp } from './use-otp.ts'

/** Moves the focus to the named field when the work has succeeded. */
async function thenFocus(
  { currentTarget: { form } }: MouseEvent<HTMLButtonElement>,
  name: string,
  work: Promise<boolean>,
) {
  if (await work) form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/** The code from the e-mail, with the buttons that request and verify it. */
export function OtpField({ otp, canSend }: { otp: Otp; canSend: boolean }) {
  const { values } = useFormikContext<{ otp: string }>()
  const canVerify = values.otp.length >= OTP_LENGTH && !otp.verified
  return (
    <FormField
      name="otp"
      errorOnSubmit
      label="OTP code"
      inputMode="numeric"
      autoComplete="one-time-code"
      {...AS_TYPED}
      status={statusOf(otp)}
      actionBefore={
        <Button
          variant="secondary"
          size="field"
          busy={otp.sending}
          disabled={!canSend || otp.waitSeconds > 0}
          onClick={(event) => void thenFocus(event, 'otp', otp.send())}
        >
          {otp.sent ? 'Resend OTP' : 'Send OTP'}
        </Button>
      }
      action={
        canVerify && (
          <Button
            size="field"
            busy={otp.verifying}
            onClick={(event) => void thenFocus(event, 'password', otp.verify(values.otp))}
          >
            Verify
          </Button>
        )
      }
    />
  )
}

/** `59 s`; `45 min` from two minutes on. */
function waitText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

function statusOf({ sent, verified, waitSeconds }: Otp): FieldStatus | undefined {
  if (verified) return { tone: 'good', text: 'E-mail address verified' }
  if (waitSeconds > 0)
    return { tone: 'quiet', text: `A new code can be sent in ${waitText(waitSeconds)}` }
  return sent ? { tone: 'quiet', text: 'Enter the 6 digits from the e-mail' } : undefined
}
