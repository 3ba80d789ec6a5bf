import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { usePasskeys } from './use-passkeys.ts'

/** Logs in with a passkey; nothing in a browser without them. */
export function PasskeyButton() {
  const { t } = useTranslation('auth')
  const { busy, logIn } = usePasskeys()
  if (!logIn) return null
  return (
    <Button
      variant="secondary"
      size="large"
      busy={busy}
      className="w-full in-data-[passkeys=none]:hidden"
      onClick={() => void logIn()}
    >
      <Fingerprint aria-hidden="true" className="size-5" />
      {t('passkey.login')}
    </Button>
  )
}
