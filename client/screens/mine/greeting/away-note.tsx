import X from 'lucide-react/icons/x'
import { useTranslation } from 'react-i18next'
import { balanceText } from '#client/format/amounts.ts'
import { type AwayCredits, dismissAwayCredits } from '#client/live/rewards/away-credits.ts'

/** `While you were away: 9 credits, +0.3000 TESP`, until it is dismissed. */
export function AwayNote({ credits: { count, amount } }: { credits: AwayCredits }) {
  const { t } = useTranslation(['mine', 'common'])
  return (
    <div className="flex min-h-11 animate-fade-in items-center rounded-control border border-mint-line bg-mint-soft pl-3">
      <p className="min-w-0 grow text-left text-sm text-mint">
        {t('mine:away', { count, amount: balanceText(amount, 'TESP') })}
      </p>
      <button
        type="button"
        aria-label={t('common:dismiss')}
        onClick={dismissAwayCredits}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}
