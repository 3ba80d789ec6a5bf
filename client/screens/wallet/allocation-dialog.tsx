import ChartPie from 'lucide-react/icons/chart-pie'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { amountText, balanceText, type Token } from '#client/format/amounts.ts'
import { FitText, TokenLogo } from '#client/ui/amounts.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { isPositive, type Money } from '#rules/money/money'
import type { Wallet } from '#rules/snapshots'

const AllocationChart = lazyComponent(() => import('./allocation-chart.tsx'), 'AllocationChart')

export function AllocationDialog({ balances }: { balances: Balances | null }) {
  const { t } = useTranslation('wallet')
  const assets = balances ? heldAssets(balances) : []
  const isEmpty = !balances || assets.length === 0
  return (
    <ButtonDialog
      label={t('chart.open')}
      title={t('chart.title')}
      description={isEmpty ? undefined : t('chart.text')}
      icon={ChartPie}
      disabled={isEmpty}
    >
      {isEmpty ? (
        <p className="py-8 text-center text-sm text-muted">{t('chart.empty')}</p>
      ) : (
        <>
          <AllocationChart
            assets={assets}
            fallback={<Skeleton className="mx-auto my-2 size-52 rounded-full" />}
          />
          <table className="mt-4 w-full text-sm">
            <caption className="sr-only">{t('chart.title')}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">{t('chart.asset')}</th>
                <th scope="col">{t('chart.value')}</th>
              </tr>
            </thead>
            <tbody>
              {assets.map(({ token, amount }) => (
                <tr key={token} className="border-line border-t">
                  <th scope="row" className="py-3 text-left font-medium">
                    <span className="flex items-center gap-3">
                      <TokenLogo token={token} className="size-8" />
                      {token}
                    </span>
                  </th>
                  <td className="figure w-full pl-3 text-right text-base font-medium">
                    <FitText text={amountText(amount, token)} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr className="border-line-strong border-t">
                <th scope="row" className="pt-3 text-left font-medium whitespace-nowrap text-muted">
                  {t('chart.total')}
                </th>
                {/* Only USDT has a value in dollars, as in the header: TESP has no price. */}
                <td className="figure w-full pt-3 pl-3 text-right text-base font-medium">
                  <FitText text={`$${balanceText(balances.USDT, 'USDT')}`} />
                </td>
              </tr>
            </tfoot>
          </table>
        </>
      )}
    </ButtonDialog>
  )
}

export type Balances = Record<Token, Money>

export function balancesOf({ tesp, usdtBalance }: Wallet): Balances {
  return { TESP: tesp[0]?.balance ?? '0', USDT: usdtBalance }
}

export function heldAssets(balances: Balances): { token: Token; amount: Money }[] {
  const tokens: Token[] = ['TESP', 'USDT']
  return tokens
    .map((token) => ({ token, amount: balances[token] }))
    .filter(({ amount }) => isPositive(amount))
}
