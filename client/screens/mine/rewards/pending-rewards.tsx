import { useTranslation } from 'react-i18next'
import { amountText, grouped, type Token } from '#client/format/amounts.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { SessionMeter } from '#client/screens/mine/figures/meters.tsx'
import { earnedNow } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { ExactAmount } from '#client/ui/amounts/exact-amount.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { TokenLogo } from '#client/ui/pictures/token-logo.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { display, type Money } from '#rules/money/money'
import type { MiningStatus } from '#rules/snapshots'
import { ClaimButton } from './claim-button.tsx'
import { WalletFigure } from './wallet-figure.tsx'

/** Decimals that make the earned amount visibly grow each second. */
const EARNING_PLACES = 6

export function PendingRewards() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  return (
    <TitledPanel
      titleId="pending-title"
      title={t('pending.title')}
      headClassName="flex-wrap items-baseline gap-x-3"
      beside={<WalletFigure />}
    >
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-x-3 gap-y-4">
        <Amount token="TESP" amount={mining?.status.pendingRewards} />
        <Amount token="USDT" amount={mining?.status.pendingUsdtRewards} />
      </dl>
      <p className="mt-4 min-h-5 text-sm text-muted">
        {mining && <EarningLine status={mining.status} now={mining.now} />}
      </p>
      <ClaimButton mining={mining} />
      <hr className="my-5 border-line" />
      <SessionMeter />
    </TitledPanel>
  )
}

function Amount({ token, amount }: { token: Token; amount: Money | undefined }) {
  return (
    <div className="relative min-w-0 pl-11">
      <dt className="text-xs text-muted">
        <TokenLogo token={token} className="absolute top-1 left-0 size-9" />
        {token}
      </dt>
      <dd className="figure min-h-7 text-lg font-medium">
        {amount === undefined ? (
          <span className="flex h-7 items-center">
            <Skeleton className="h-6 w-20" />
          </span>
        ) : (
          <ExactAmount text={amountText(amount, token)} amount={amount} token={token} />
        )}
      </dd>
    </div>
  )
}

function EarningLine({ status, now }: { status: MiningStatus; now: number }) {
  const { t } = useTranslation('mine')
  if (!status.active) return t('pending.idle')
  const amount = grouped(display(earnedNow(status, now), EARNING_PLACES))
  return (
    <RichText
      text={t('pending.inProgress', { amount })}
      elements={{ figure: <span className="figure text-mint" /> }}
    />
  )
}
