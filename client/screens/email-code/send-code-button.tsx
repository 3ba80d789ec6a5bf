import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'

export type SendCodeButtonProps = {
  /** A code was sent before, so the label offers another one. */
  sent: boolean
  sending: boolean
  /** Seconds until the server sends another code. */
  waitSeconds: number
  disabled?: boolean
  /** The code is used up: only a new one helps. */
  urgent?: boolean
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
}

/** Requests a code by e-mail; counts down to the next one. */
export function SendCodeButton({
  sent,
  sending,
  waitSeconds,
  disabled = false,
  urgent = false,
  onClick,
}: SendCodeButtonProps) {
  const { t } = useTranslation('auth')
  return (
    <Button
      variant={urgent ? 'primary' : 'secondary'}
      size="field"
      busy={sending}
      disabled={disabled || waitSeconds > 0}
      onClick={onClick}
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

/** `in 59 s`; `in 45 min` from two minutes on. */
export function waitText(seconds: number): string {
  return seconds < 120
    ? i18n.t('auth:otp.inSeconds', { count: seconds })
    : i18n.t('auth:otp.inMinutes', { count: Math.ceil(seconds / 60) })
}
