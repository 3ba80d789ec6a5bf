import { useAtomValue } from 'jotai'
import { progressLabel } from '#client/commands/progress-label.ts'
import { amountText, grouped, type Token } from '#client/format/amounts.ts'
import { Button } from '#client/ui/button.tsx'
import { ExactAmount } from '#client/ui/exact-amount.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { TokenLogo } from '#client/ui/token-logo.tsx'
import { remainingText } from '#rules/duration-text'
import { display, type Money } from '#rules/money'
import type { MiningStatus } from '#rules/snapshots'
import { SessionMeter } from './meters.tsx'
import { claimRewards, miningCommandAtom } from './mining-commands.ts'
import { claimable, cooldownMs, earnedNow } from './mining-view.ts'
import { useMining } from './use-mining.ts'

/** Decimals that make the earned amount visibly grow each second. */
const EARNING_PLACES = 6

export function PendingRewards() {
  const mining = useMining()
  return (
    <Panel aria-labelledby="pending-title">
      <h2 id="pending-title" className="text-base">
        Pending Rewards
      </h2>
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
    </Panel>
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
          <Skeleton className="mt-1 h-6 w-20" />
        ) : (
          <ExactAmount text={amountText(amount, token)} amount={amount} token={token} />
        )}
      </dd>
    </div>
  )
}

function EarningLine({ status, now }: { status: MiningStatus; now: number }) {
  if (!status.active) return 'Start mining to earn TESP'
  const earned = grouped(display(earnedNow(status, now), EARNING_PLACES))
  return (
    <>
      Mining in progress: <span className="figure text-mint">+{earned} TESP</span>
    </>
  )
}

function ClaimButton({ mining }: { mining: { status: MiningStatus; now: number } | null }) {
  const running = useAtomValue(miningCommandAtom)
  const claiming = running?.command === 'claim'
  const ready = mining !== null && claimable(mining.status, mining.now)
  const cooldown = mining?.status.hasPendingRewards ? cooldownMs(mining.status, mining.now) : 0
  return (
    <>
      <Button
        size="large"
        className="mt-4 w-full"
        disabled={!ready || running !== null}
        busy={claiming}
        busyLabel={progressLabel(claiming ? running.state : 'pending', 'Claiming...')}
        onClick={claimRewards}
      >
        Claim Rewards
      </Button>
      {cooldown > 0 && (
        <p className="mt-3 text-center text-sm text-muted">
          Cooldown: <span className="figure">{remainingText(cooldown)}</span>
        </p>
      )}
    </>
  )
}
