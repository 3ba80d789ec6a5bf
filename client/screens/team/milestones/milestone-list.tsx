import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { useTranslation } from 'react-i18next'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { usdtPercent } from '#client/screens/team/team-view.ts'
import { classNames } from '#client/ui/class-names.ts'
import { Panel } from '#client/ui/panel.tsx'
import { MILESTONES } from '#rules/money/milestones'
import type { MilestoneView, ReferralInfo } from '#rules/snapshots'

/** Explains direct members and lists the reward of each milestone. */
export function MilestoneList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const milestones = info?.milestones ?? MILESTONES.map((one) => ({ ...one, achieved: false }))
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
              <th scope="col" className="text-right">
                {t('milestones.rate')}
              </th>
              <th scope="col" className="text-right">
                {t('milestones.reward')}
              </th>
            </tr>
          </thead>
          <tbody>
            {milestones.map((milestone) => (
              <MilestoneRow key={milestone.members} milestone={milestone} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function MilestoneRow({ milestone }: { milestone: MilestoneView }) {
  const { t } = useTranslation('team')
  const { achieved, members, reward } = milestone
  const Mark = achieved ? CircleCheck : CircleDashed
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-2.5 text-left font-medium">
        <span className="flex items-center gap-x-2">
          <Mark
            aria-hidden="true"
            className={classNames(
              'size-5 shrink-0 @max-[14rem]:hidden',
              achieved ? 'text-mint' : 'text-muted',
            )}
            strokeWidth={1.75}
          />
          <span className="@min-[14.5rem]:whitespace-nowrap">
            {t('milestones.size', { members: wholeText(members) })}
            <span className="sr-only">
              {t(achieved ? 'milestones.achieved' : 'milestones.notAchieved')}
            </span>
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
