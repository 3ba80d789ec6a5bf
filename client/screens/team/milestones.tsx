import { useAtomValue } from 'jotai'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import Trophy from 'lucide-react/icons/trophy'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { dateText } from '#client/format/dates.ts'
import { currentLanguage } from '#client/language/language.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { TokenLogo } from '#client/ui/amounts.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { Panel, TitledPanel } from '#client/ui/panel.tsx'
import { MILESTONES, readyMilestones } from '#rules/money/milestones'
import { compact } from '#rules/money/money'
import type { MilestoneView, ReferralInfo, TeamReward } from '#rules/snapshots'
import { checkMilestones, forgetPayout, payoutAtom, useTeamCommand } from './team-commands.ts'
import { type Payout, readyPayoutOf, reasonText, usdtPercent } from './team-view.ts'

const looks = {
  ready: { Icon: Trophy, border: 'border-amber-line!', tone: 'text-amber' },
  achieved: { Icon: CircleCheck, border: 'border-mint-line!', tone: 'text-mint' },
  notAchieved: { Icon: CircleDashed, tone: 'text-muted' },
}

export function MilestoneCard({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const paid = useAtomValue(payoutAtom)
  const button = useTeamCommand('check-reward')
  const keptFocus = useKeptFocus()
  useEffect(() => forgetPayout, [])
  const ready = info ? readyMilestones(info) : []
  const isReady = ready.length > 0
  const payout = isReady ? readyPayoutOf(ready) : paid
  if (!payout) return null
  const { Icon, border, tone } = looks[isReady ? 'ready' : 'achieved']
  const look = isReady ? 'ready' : 'paid'
  const members = new Intl.ListFormat(currentLanguage()).format(payout.members.map(wholeText))
  return (
    <Panel aria-labelledby="milestone-ready" className={`flex gap-4 ${border}`} {...keptFocus}>
      <span className="shrink-0">
        <Icon className={`size-6 ${tone}`} />
      </span>
      <div className="min-w-0 grow">
        <h2 id="milestone-ready" className="text-base">
          {t(`milestone.${look}`, { members })}
        </h2>
        <p className="mt-1 text-sm text-muted">
          <RichText text={t(`milestone.${look}Note`)} elements={amountsOf(payout)} />
        </p>
        {isReady && (
          <Button
            className="mt-3 w-full"
            {...button}
            onClick={() => void checkMilestones('check-reward')}
          >
            {t('milestone.receive')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

function amountsOf({ tesp, usdt }: Payout) {
  const look = 'figure whitespace-nowrap'
  return {
    tesp: <span className={`${look} text-mint`}>{`${grouped(compact(tesp))} TESP`}</span>,
    usdt: <span className={`${look} text-sky`}>{`${grouped(compact(usdt))} USDT`}</span>,
  }
}

export function MilestoneList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const milestones = info?.milestones ?? MILESTONES.map((one) => ({ ...one, achieved: false }))
  const ready = info ? readyMilestones(info) : []
  return (
    <Panel aria-labelledby="milestones-title">
      <h2 className="text-base">{t('milestones.directTitle')}</h2>
      <p className="mt-1 text-sm text-muted">{t('milestones.directNote')}</p>
      <hr className="my-5 border-line" />
      <h2 id="milestones-title" className="text-base">
        {t('milestones.title')}
      </h2>
      <div className="@container mt-3">
        <table aria-labelledby="milestones-title" className="w-full text-sm @max-[10rem]:text-nav">
          <thead>
            <tr className="text-left text-nav text-muted *:pb-2 *:font-normal">
              <th scope="col">{t('milestones.members')}</th>
              <th scope="col" className="px-2 text-right">
                {t('milestones.rate')}
              </th>
              <th scope="col" className="text-right">
                {t('milestones.reward')}
              </th>
            </tr>
          </thead>
          <tbody>
            {milestones.map((milestone) => (
              <MilestoneRow
                key={milestone.members}
                milestone={milestone}
                isReady={ready.includes(milestone)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function MilestoneRow({ milestone, isReady }: { milestone: MilestoneView; isReady: boolean }) {
  const { t } = useTranslation('team')
  const { achieved, members, reward } = milestone
  const state = achieved ? 'achieved' : isReady ? 'ready' : 'notAchieved'
  const { Icon, tone } = looks[state]
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-2.5 text-left font-medium">
        <span className="flex items-center gap-x-2">
          <Icon
            className={classNames('size-5 shrink-0 @max-[14rem]:hidden', tone)}
            strokeWidth={1.75}
          />
          <span className="@min-[14.5rem]:whitespace-nowrap">
            {t('milestones.size', { members: wholeText(members) })}
            <span className="sr-only">{t(`milestones.${state}`)}</span>
          </span>
        </span>
      </th>
      <td className="figure px-2 text-right whitespace-nowrap text-sky">
        {usdtPercent(milestone)}
      </td>
      <td className="figure text-right @min-[14rem]:whitespace-nowrap">
        {`${grouped(reward)} TESP`}
      </td>
    </tr>
  )
}

export function RewardList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const rewards = info?.usdtRewards.toSorted((a, b) => b.id - a.id)
  return (
    <TitledPanel titleId="rewards-title" title={t('rewards.title')} className="pb-3!">
      {rewards === undefined ? (
        <Skeleton className="mt-4 mb-2 h-10" />
      ) : rewards.length === 0 ? (
        <div className="flex flex-col items-center gap-3 pt-8 pb-9 text-center">
          <Trophy className="size-7 text-muted" strokeWidth={1.5} />
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
