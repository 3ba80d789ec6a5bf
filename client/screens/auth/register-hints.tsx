import { useTranslation } from 'react-i18next'

export type RegisterHintsProps = {
  id: string
  usernameTaken: boolean
  emailRefused: boolean
  verified: boolean
}

/** Why Register is disabled. */
export function RegisterHints({ id, usernameTaken, emailRefused, verified }: RegisterHintsProps) {
  const { t } = useTranslation('auth')
  const hints = [
    usernameTaken && t('hints.username'),
    emailRefused && t('hints.email'),
    !verified && t('hints.otp'),
  ].filter((hint) => hint !== false)
  return (
    <ul id={id} aria-live="polite" className="min-h-5 pt-1 text-center text-xs text-muted">
      {hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  )
}
