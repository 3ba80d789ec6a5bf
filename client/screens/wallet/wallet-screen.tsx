import { useAtomValue } from 'jotai'
import ChartColumn from 'lucide-react/icons/chart-column'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { walletAtom } from '#client/data/member-data.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { balanceText, type Token } from '#client/format/amounts.ts'
import { LoadError, StaleNote } from '#client/layout/connection-notes.tsx'
import { useViewChange, View, ViewRow } from '#client/layout/view.tsx'
import { ExactAmount, FitText, TokenLogo, useCountUp, widthEm } from '#client/ui/amounts.tsx'
import { LinkButton } from '#client/ui/buttons/button.tsx'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { isPositive, type Money } from '#rules/money/money'
import { ActivityTab } from './activity/activity-tab.tsx'
import { AllocationDialog, type Balances, balancesOf, heldAssets } from './allocation-dialog.tsx'

const EarningsView = lazyComponent(
  () => import('./earnings/earnings-view.tsx'),
  'EarningsView',
  'earnings',
)

/** Earnings is a view, because the specification has exactly three tabs. */
export function WalletScreen() {
  const { t } = useTranslation(['wallet', 'layout'])
  const isEarnings = new URLSearchParams(useSearch()).get('view') === 'earnings'
  // The row of the view takes the focus when the member returns.
  const [wasEarnings, setWasEarnings] = useState(isEarnings)
  if (isEarnings && !wasEarnings) setWasEarnings(true)
  const title = t(isEarnings ? 'wallet:earnings.title' : 'layout:titles./wallet')
  useViewChange('/wallet', isEarnings ? 'earnings' : undefined, title)
  if (!isEarnings) return <Assets wasEarnings={wasEarnings} />
  return (
    <View title={title} back={{ href: '/wallet', label: t('wallet:earnings.back') }}>
      <ErrorBoundary>
        <EarningsView
          fallback={
            <>
              <LoadingNote />
              <Skeleton className="h-13.5 rounded-control" />
              <Skeleton className="h-48 rounded-panel" />
              <Skeleton className="h-72 rounded-panel" />
            </>
          }
        />
      </ErrorBoundary>
    </View>
  )
}

function Assets({ wasEarnings }: { wasEarnings: boolean }) {
  const { t } = useTranslation('wallet')
  const query = useAtomValue(walletAtom)
  const [tab, setTab] = useState('assets')
  // Kept in the history: *Back* from a page that the activity leads to returns to it.
  useLayoutEffect(() => setTab(window.history.state?.walletTab ?? 'assets'), [])
  function open(walletTab: string) {
    window.history.replaceState({ ...window.history.state, walletTab }, '')
    setTab(walletTab)
  }
  const { data: wallet, isError } = query
  const balances = wallet ? balancesOf(wallet) : null
  if (isError && !wallet) {
    return (
      <div className="flex flex-col gap-4">
        <h1 className="text-lg">{t('title')}</h1>
        <LoadError query={query} title={t('loadFailed.title')} text={t('loadFailed.text')} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <WalletHeader balances={balances} />
      {!balances && <LoadingNote />}
      <Tabs value={tab} onValueChange={open} className="flex flex-col gap-4">
        <TabsList aria-label={t('tabs.label')}>
          <TabsTrigger value="assets">{t('tabs.assets')}</TabsTrigger>
          <TabsTrigger value="activity">{t('tabs.activity')}</TabsTrigger>
          <TabsTrigger value="transactions">{t('tabs.transactions')}</TabsTrigger>
        </TabsList>
        <TabsContent value="assets">
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
          <div className="group @container mt-4 rounded-panel border border-line bg-panel">
            <ViewRow
              href="/wallet?view=earnings"
              Icon={ChartColumn}
              title={t('earnings.title')}
              text={t('earnings.text')}
              takesFocus={wasEarnings}
            />
          </div>
        </TabsContent>
        <TabsContent value="activity">
          <ActivityTab />
        </TabsContent>
        <TabsContent value="transactions">
          <Panel
            className="py-12 text-center text-sm text-balance text-muted"
            aria-label={t('tabs.transactions')}
          >
            {t('transactions')}
          </Panel>
        </TabsContent>
      </Tabs>
    </div>
  )
}

/** The total in dollars counts only USDT, because TESP has no price. */
function WalletHeader({ balances }: { balances: Balances | null }) {
  const { t } = useTranslation(['wallet', 'layout'])
  return (
    <header>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-lg">{t('title')}</h1>
        <span className="flex flex-wrap gap-2">
          <LinkButton href="/swap">{t('layout:titles./swap')}</LinkButton>
          <AllocationDialog balances={balances} />
        </span>
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">
        {t('totalAssets')} <StaleNote />
      </p>
      {/* On its own row, so that a long amount fits. */}
      <div className="figure min-h-11 text-2xl font-medium">
        {balances ? (
          <>
            <Total usdt={balances.USDT} />
            {isPositive(balances.TESP) && (
              <div className="text-sm font-normal text-muted">
                <FitText text={t('andTesp', { amount: balanceText(balances.TESP, 'TESP') })} />
              </div>
            )}
          </>
        ) : (
          <span className="flex h-16 flex-col justify-between pt-1">
            <Skeleton className="h-9 w-36" />
            <Skeleton className="h-4 w-28" />
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
