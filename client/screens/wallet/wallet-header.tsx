import { balanceText } from '#client/format/amounts.ts'
import { StaleNote } from '#client/layout/stale-note.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { Money } from '#rules/money'
import { AllocationDialog } from './allocation-dialog.tsx'
import type { Balances } from './balances.ts'
import { useCountUp } from './use-count-up.ts'

/** The title and the total assets in dollars: only USDT counts, because TESP has no price. */
export function WalletHeader({ balances }: { balances: Balances | null }) {
  return (
    <header className="flex items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="text-lg">My Wallet</h1>
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-muted">
          Total assets <StaleNote />
        </p>
        <p className="figure min-h-11 text-2xl font-medium">
          {balances ? <Total usdt={balances.USDT} /> : <Skeleton className="mt-1 h-9 w-36" />}
        </p>
      </div>
      <AllocationDialog balances={balances} />
    </header>
  )
}

function Total({ usdt }: { usdt: Money }) {
  return `$${balanceText(useCountUp(usdt), 'USDT')}`
}
