import { useTranslation } from 'react-i18next'
import { balanceText } from '#client/format/amounts.ts'
import { StaleNote } from '#client/layout/states/stale-note.tsx'
import { ExactAmount } from '#client/ui/amounts/exact-amount.tsx'
import { useCountUp } from '#client/ui/amounts/use-count-up.ts'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { Money } from '#rules/money/money'
import { AllocationDialog } from './assets/allocation-dialog.tsx'
import type { Balances } from './assets/balances.ts'

/** The title and the total assets in dollars: only USDT counts, because TESP has no price. */
export function WalletHeader({ balances }: { balances: Balances | null }) {
  const { t } = useTranslation('wallet')
  return (
    <header>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-lg">{t('title')}</h1>
        <AllocationDialog balances={balances} />
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">
        {t('totalAssets')} <StaleNote />
      </p>
      {/* A row of its own: a long amount shares its line with nothing. */}
      <div className="figure min-h-11 text-2xl font-medium">
        {balances ? (
          <Total usdt={balances.USDT} />
        ) : (
          <span className="flex h-11 items-center">
            <Skeleton className="h-9 w-36" />
          </span>
        )}
      </div>
    </header>
  )
}

function Total({ usdt }: { usdt: Money }) {
  const text = `$${balanceText(useCountUp(usdt), 'USDT')}`
  return <ExactAmount text={text} amount={usdt} token="USDT" />
}
