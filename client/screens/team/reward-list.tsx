import Trophy from 'lucide-react/icons/trophy'
import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { dateText } from '#client/format/dates.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import { TokenLogo } from '#client/ui/pictures/token-logo.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { ReferralInfo, TeamReward } from '#rules/snapshots'
import { reasonText } from './team-view.ts'

/** The milestone rewards, newest first. */
export function RewardList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const rewards = info?.usdtRewards.toSorted((a, b) => b.id - a.id)
  return (
    <TitledPanel titleId="rewards-title" title={t('rewards.title')} className="pb-3!">
      {rewards === undefined ? (
        <Skeleton className="mt-4 mb-2 h-10" />
      ) : rewards.length === 0 ? (
        <div className="flex flex-col items-center gap-3 pt-8 pb-9 text-center">
          <Trophy aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
          <p className="text-sm text-muted">{t('rewards.empty')}</p>
        </div>
      ) : (
        <ul className="mt-2">
          {rewards.map((reward) => (
            <RewardRow key={reward.id} reward={reward} />
          ))}
        </ul>
      )}
    </TitledPanel>
  )
}

function RewardRow({ reward: { reason, amount, createdAt } }: { reward: TeamReward }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-3 first:border-t-0">
      <TokenLogo token="TESP" className="size-9" />
      <div className="min-w-0 grow basis-24">
        <p className="text-sm font-medium text-pretty">{reasonText(reason)}</p>
        <time dateTime={createdAt} className="text-xs text-muted">
          {dateText(createdAt)}
        </time>
      </div>
      <p className="figure ml-auto font-medium whitespace-nowrap text-mint">
        {`${grouped(amount.toFixed(2))} TESP`}
      </p>
    </li>
  )
}
