import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'

/** Announces the swap. The button does nothing yet (Specification §2), and the note below says so. */
export function SwapScreen() {
  const { t } = useTranslation('network')
  return (
    <Panel className="flex flex-col items-center gap-5 py-16! text-center">
      <span className="inline-flex size-20 items-center justify-center rounded-full border border-mint-line bg-mint-soft text-mint">
        <ArrowLeftRight className="size-8" strokeWidth={1.5} />
      </span>
      <h1 className="text-lg">{t('swap.title')}</h1>
      <Button variant="secondary" aria-disabled="true" aria-describedby="notify-note">
        {t('swap.notify')}
      </Button>
      <p id="notify-note" className="-mt-2 text-xs text-muted">
        {t('swap.notifyNote')}
      </p>
    </Panel>
  )
}
