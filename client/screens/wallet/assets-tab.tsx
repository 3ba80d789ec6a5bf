import { useTranslation } from 'react-i18next'
import { balanceText, type Token } from '#client/format/amounts.ts'
import { ExactAmount, TokenLogo, useCountUp, widthEm } from '#client/ui/amounts.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { Money } from '#rules/money/money'
import { type Balances, heldAssets } from './allocation-dialog.tsx'

/** Both balances; skeletons of the same size while they are unknown. */
export function AssetsTab({ balances }: { balances: Balances | null }) {
  const { t } = useTranslation('wallet')
  return (
    <Panel aria-label={t('tabs.assets')} className="py-2!">
      <ul>
        <AssetRow token="TESP" amount={balances?.TESP} />
        <AssetRow token="USDT" amount={balances?.USDT} />
      </ul>
      {balances && heldAssets(balances).length === 0 && (
        <p className="border-line border-t py-5 text-center text-sm text-balance text-muted">
          {t('noAssets')}
        </p>
      )}
    </Panel>
  )
}

function AssetRow({ token, amount }: { token: Token; amount: Money | undefined }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-4 first:border-t-0">
      <TokenLogo token={token} />
      <p className="text-base font-medium">{token}</p>
      {amount === undefined ? (
        <div className="flex h-7 grow items-center justify-end">
          <Skeleton className="h-6 w-24" />
        </div>
      ) : (
        <Balance token={token} amount={amount} />
      )}
    </li>
  )
}

function Balance({ token, amount }: { token: Token; amount: Money }) {
  const text = `${token === 'USDT' ? '$' : ''}${balanceText(useCountUp(amount), token)}`
  return (
    // A balance too long for the rest of the row moves below the name.
    <div
      className="figure min-w-0 grow text-lg font-medium"
      style={{ flexBasis: `${widthEm(text).toFixed(2)}em` }}
    >
      <ExactAmount text={text} amount={amount} token={token} className="text-right" />
    </div>
  )
}
