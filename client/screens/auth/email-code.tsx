import { useFormikContext } from 'formik'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { OneTimeCodeField } from '#client/ui/forms/form-field.tsx'
import { OTP_RESEND_MS, SECOND_MS } from '#rules/constants'

/** The code of a mail, as the form value `otp`. */
export function EmailCodeField(props: Partial<ComponentProps<typeof OneTimeCodeField>>) {
  const { t } = useTranslation('auth')
  return <OneTimeCodeField name="otp" label={t('otp.label')} inputMode="numeric" {...props} />
}

type SendCodeButtonProps = {
  sent: boolean
  waitSeconds: number
  disabled?: boolean
  /** The code is used up: only a new one helps. */
  urgent?: boolean
  onPress: () => Promise<unknown>
}

export function SendCodeButton({
  sent,
  waitSeconds,
  disabled = false,
  urgent = false,
  onPress,
}: SendCodeButtonProps) {
  const { t } = useTranslation('auth')
  return (
    <Button
      variant={urgent ? 'primary' : 'secondary'}
      size="field"
      disabled={disabled || waitSeconds > 0}
      onPress={onPress}
    >
      <span className="flex flex-col leading-tight">
        {t(sent ? 'otp.resend' : 'otp.send')}
        {/* Not part of the accessible name, which would change every second. */}
        {waitSeconds > 0 && (
          <span aria-hidden="true" className="figure text-xs">
            {waitText(waitSeconds)}
          </span>
        )}
      </span>
    </Button>
  )
}

/** `seconds` are those that the message names, if it names any. */
export type CodeRefusal = { message: string; seconds?: string | number }

/** Hides the countdown from screen readers, which would read each second. */
export function WaitNote({ message, seconds, left }: CodeRefusal & { left: number }) {
  if (seconds === undefined) return message
  return (
    <>
      <span aria-hidden="true">{message.replace(String(seconds), String(left))}</span>
      <span className="sr-only">{message}</span>
    </>
  )
}

/** `in 59 s`; `in 45 min` from two minutes on. */
export function waitText(seconds: number): string {
  return seconds < 120
    ? i18n.t('auth:otp.inSeconds', { count: seconds })
    : i18n.t('auth:otp.inMinutes', { count: Math.ceil(seconds / 60) })
}

/** Counts from the wall clock, because browsers suspend timers; a clock that was set back ends the wait. */
export function useCountdown(key: string, until = 0) {
  const [now, setNow] = useState(() => Date.now())
  const [wait, setWait] = useState({ key, from: until - OTP_RESEND_MS, until })
  const running = wait.key === key && wait.until > now && wait.from <= now
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  const start = (startedKey: string, ms: number) => {
    const startedAt = Date.now()
    setNow(startedAt)
    setWait({ key: startedKey, from: startedAt, until: startedAt + ms })
  }
  return { seconds: running ? Math.ceil((wait.until - now) / SECOND_MS) : 0, start }
}

/** Clears a code that was typed before another one was requested. */
export function useEarlierCode() {
  const { values, setFieldValue } = useFormikContext<{ otp: string }>()
  const typed = useRef(values.otp)
  useEffect(() => {
    typed.current = values.otp
  })
  /** Resolves to false if the field is no longer `earlier`: the mail may arrive before the answer. */
  return async function clearEarlier(earlier: string): Promise<boolean> {
    if (typed.current !== earlier) return false
    await setFieldValue('otp', '')
    return true
  }
}
