import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'

type LoadFailedProps = { text: string; busy: boolean; onRetry: () => void }

/** Takes the place of the content of a panel that was not loaded. */
export function LoadFailed({ text, busy, onRetry }: LoadFailedProps) {
  const { t } = useTranslation()
  return (
    <div className="mt-4 flex items-center justify-between gap-3 border-t border-line py-3 text-sm">
      <p className="text-muted">{text}</p>
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
