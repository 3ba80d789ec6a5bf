import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { walletAtom } from '#client/data/member-data.ts'
import { balanceText, UNKNOWN } from '#client/format/amounts.ts'
import { FitText, widthEm } from '#client/ui/amounts/fit-text.tsx'
import { useCountUp } from '#client/ui/amounts/use-count-up.ts'
import type { Money } from '#rules/money/money'

/** The TESP balance, which counts up when a credit or a claim arrives. */
export function WalletFigure() {
  const { t } = useTranslation('mine')
  const tesp = useAtomValue(walletAtom).data?.tesp
  return (
    // Another element once it is known: a longer text would otherwise count as a layout shift.
    <p key={tesp ? 'known' : 'unknown'} className="max-w-full text-xs text-muted">
      {t('pending.inWallet')}{' '}
      {tesp ? <Balance amount={tesp[0]?.balance ?? '0'} /> : <Figure text={UNKNOWN} />}
    </p>
  )
}

function Balance({ amount }: { amount: Money }) {
  return <Figure text={`${balanceText(useCountUp(amount), 'TESP')} TESP`} />
}

/** One line of its natural width, or smaller where the panel is narrower. */
function Figure({ text }: { text: string }) {
  return (
    <span
      className="figure inline-block max-w-full text-right align-baseline text-sm text-ink"
      style={{ width: `${widthEm(text).toFixed(2)}em` }}
    >
      <FitText text={text} />
    </span>
  )
}
