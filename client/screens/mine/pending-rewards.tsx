import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { progressLabel } from '#client/commands/commands.ts'
import { miningAtom, walletAtom } from '#client/data/member-data.ts'
import { amountText, balanceText, grouped, type Token, UNKNOWN } from '#client/format/amounts.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { ExactAmount, FitText, TokenLogo, useCountUp, widthEm } from '#client/ui/amounts.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { SECOND_MS } from '#rules/constants'
import { display, type Money } from '#rules/money/money'
import { SessionMeter } from './figures.tsx'
import { claimRewards, miningCommandAtom } from './mining-commands.ts'
import { claimable, cooldownMs, earnedNow, useMining } from './mining-view.ts'

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
      trailing={<WalletFigure />}
    >
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-x-3 gap-y-4">
        <Amount token="TESP" amount={mining?.status.pendingRewards} />
        <Amount token="USDT" amount={mining?.status.pendingUsdtRewards} />
      </dl>
      <p className="mt-4 min-h-5 text-sm text-muted">
        {mining?.status.active ? (
          <RichText
            text={t('pending.inProgress', {
              amount: grouped(display(earnedNow(mining.status, mining.now), EARNING_PLACES)),
            })}
            elements={{ figure: <span className="figure text-mint" /> }}
          />
        ) : (
          mining && t('pending.idle')
        )}
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

function ClaimButton({ mining }: { mining: ReturnType<typeof useMining> }) {
  const { t } = useTranslation('mine')
  const running = useAtomValue(miningCommandAtom)
  const claiming = running?.command === 'claim'
  const ready = mining !== null && claimable(mining.status, mining.now)
  const cooldown = mining?.status.hasPendingRewards ? cooldownMs(mining.status, mining.now) : 0
  const left = Math.ceil(cooldown / SECOND_MS)
  return (
    <>
      <Button
        size="large"
        // An outline while disabled: filled grey would look broken, because credits need no claim.
        className="mt-4 w-full off:border off:border-line! off:bg-transparent"
        disabled={!ready || running !== null}
        busy={claiming}
        busyLabel={progressLabel(claiming ? running.state : 'pending', t('pending.claiming'))}
        onClick={claimRewards}
      >
        {t('pending.claim')}
      </Button>
      <p className="mt-3 text-center text-sm text-balance text-muted">{t('pending.explanation')}</p>
      {cooldown > 0 && (
        <p className="mt-3 text-center text-sm text-muted">
          <RichText
            text={t('pending.cooldown', {
              minutes: Math.floor(left / 60),
              seconds: String(left % 60).padStart(2, '0'),
            })}
            elements={{ figure: <span className="figure" /> }}
          />
        </p>
      )}
    </>
  )
}

function WalletFigure() {
  const { t } = useTranslation('mine')
  const tesp = useAtomValue(walletAtom).data?.tesp
  const status = useAtomValue(miningAtom).data
  return (
    // Another element once it is known: a longer text would otherwise count as a layout shift.
    <p key={tesp ? 'known' : 'unknown'} className="relative max-w-full text-xs text-muted">
      {t('pending.inWallet')}{' '}
      {tesp ? <Balance amount={tesp[0]?.balance ?? '0'} /> : <Figure text={UNKNOWN} />}
      <Arrival rewardId={status?.rewardId ?? null} amount={status?.rewardAmount ?? null} />
    </p>
  )
}

/** A credit that arrives while the screen is open falls from the dial into the balance. */
function Arrival({ rewardId, amount }: { rewardId: string | null; amount: Money | null }) {
  const [first] = useState(rewardId)
  if (amount === null || rewardId === first) return null
  return (
    <span
      key={rewardId}
      aria-hidden="true"
      className="credit-arrival figure pointer-events-none absolute right-0 bottom-0 text-sm text-mint"
    >
      +{balanceText(amount, 'TESP')}
    </span>
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
