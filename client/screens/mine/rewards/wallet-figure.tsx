import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { walletAtom } from '#client/data/member-data.ts'
import { balanceText, UNKNOWN } from '#client/format/amounts.ts'
import { useCountUp } from '#client/ui/use-count-up.ts'
import type { Money } from '#rules/money'

/** The TESP balance, which counts up when a credit or a claim arrives. */
export function WalletFigure() {
  const { t } = useTranslation('mine')
  const tesp = useAtomValue(walletAtom).data?.tesp
  return (
    // Another element once it is known: a longer text would otherwise count as a layout shift.
    <p key={tesp ? 'known' : 'unknown'} className="text-xs text-muted">
      {t('pending.inWallet')}{' '}
      <span className="figure text-sm whitespace-nowrap text-ink">
        {tesp ? <Balance amount={tesp[0]?.balance ?? '0'} /> : UNKNOWN}
      </span>
    </p>
  )
}

function Balance({ amount }: { amount: Money }) {
  return `${balanceText(useCountUp(amount), 'TESP')} TESP`
}
