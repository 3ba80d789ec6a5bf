import { useFormikContext } from 'formik'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { withoutBlanks } from '#contract/forms/fields'
import { OTP_LENGTH } from '#rules/constants'
import { EmailCodeField, SendCodeButton, useEarlierCode, WaitNote } from './email-code.tsx'
import type { Otp } from './use-otp.ts'

const COMPLETE = new RegExp(`^\\d{${OTP_LENGTH}}$`)

export function OtpField({ otp, canSend }: { otp: Otp; canSend: boolean }) {
  const { t } = useTranslation('auth')
  const { values } = useFormikContext<{ otp: string }>()
  const clearEarlier = useEarlierCode()
  const row = useRef<HTMLDivElement>(null)
  const canVerify = values.otp.length >= OTP_LENGTH && !otp.verified

  const focusField = (name: string) =>
    row.current?.closest('form')?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()

  async function send() {
    const earlier = values.otp
    if (!(await otp.send())) return
    if (await clearEarlier(earlier)) focusField('otp')
  }

  async function verify() {
    const typing = document.activeElement
    if (!(await otp.verify(values.otp))) return
    // The focus stays where the member went on typing while the request was under way.
    const moved = document.activeElement !== typing && document.activeElement !== document.body
    if (!moved) focusField('password')
  }

  // Verifies each complete code once: a repeated wrong code would only use up its tries.
  const tried = useRef('')
  useEffect(() => {
    const code = withoutBlanks(values.otp)
    if (!canSend || otp.verified || !COMPLETE.test(code) || tried.current === code) return
    tried.current = code
    void verify()
  })

  return (
    <div ref={row}>
      <EmailCodeField
        errorOnSubmit
        hint={t(canSend ? 'otp.pressSend' : 'otp.needsEmail')}
        status={statusOf(otp, withoutBlanks(values.otp))}
        actionBefore={
          <SendCodeButton
            sent={otp.sent}
            waitSeconds={otp.waitSeconds}
            disabled={!canSend}
            urgent={otp.rejection?.usedUp}
            onPress={send}
          />
        }
        action={
          canVerify && (
            <Button
              variant={otp.rejection?.usedUp ? 'secondary' : 'primary'}
              size="field"
              busy={otp.verifying}
              onClick={() => void verify()}
            >
              {t('otp.verify')}
            </Button>
          )
        }
      />
    </div>
  )
}

function statusOf(otp: Otp, code: string): FieldStatus | undefined {
  const { sent, verified, rejection, refusal } = otp
  if (otp.isProving) return { tone: 'quiet', text: i18n.t('auth:otp.proving') }
  if (verified) return { tone: 'good', text: i18n.t('auth:otp.emailVerified') }
  if (rejection?.usedUp || (rejection?.wrong && rejection.code === code))
    return { tone: 'bad', text: rejection.message }
  if (refusal) return { tone: 'doubt', text: <WaitNote {...refusal} left={otp.waitSeconds} /> }
  return sent ? { tone: 'quiet', text: i18n.t('auth:otp.enterDigits') } : undefined
}
