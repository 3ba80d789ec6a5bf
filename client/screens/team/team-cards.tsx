import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { wholeText } from '#client/format/amounts.ts'
import { FitText } from '#client/ui/amounts.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { MILESTONES } from '#rules/money/milestones'
import type { ReferralInfo } from '#rules/snapshots'
import { type CheckCommand, checkMilestones, useTeamCommand } from './team-commands.ts'
import { boostText, milestoneProgress, nextRewardText } from './team-view.ts'

export function TeamCards({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const progress = info && milestoneProgress(info)
  const reached = info?.milestones.filter(({ achieved }) => achieved).length
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(max(40%,min(100%,8.25rem)),1fr))] gap-3">
      <Card title={t('cards.referrals')} figure={info && wholeText(info.teamSize)}>
        <Progress
          value={progress?.percent ?? null}
          label={t('progress.label')}
          valueText={progress?.text}
        />
        <p className="mt-2 min-h-4 text-xs text-muted">
          {progress?.text ?? <Skeleton className="h-4 w-24" />}
        </p>
        <p className="min-h-4 text-xs">{progress?.left}</p>
      </Card>
      <Card title={t('cards.boost')} figure={info && boostText(info)} tone="text-mint">
        <p className="text-xs text-muted">{t('cards.boostNote')}</p>
      </Card>
      <Card title={t('cards.reached')} figure={info && `${reached} / ${MILESTONES.length}`}>
        <CheckButton command="check-reached" info={info} />
      </Card>
      <Card title={t('cards.reward')} figure={info && nextRewardText(info)}>
        <CheckButton command="check-reward" info={info} />
      </Card>
    </div>
  )
}

type CardProps = { title: string; figure: string | undefined; tone?: string; children: ReactNode }

function Card({ title, figure, tone = '', children }: CardProps) {
  return (
    <Panel className="flex min-w-0 flex-col p-3.5!">
      <h2 className="font-sans text-xs font-normal tracking-normal text-muted">{title}</h2>
      <p className={`figure mt-1 mb-3 min-h-8.5 text-xl font-medium ${tone}`}>
        {figure === undefined ? <Skeleton className="mt-1 h-7 w-20" /> : <FitText text={figure} />}
      </p>
      <div className="mt-auto">{children}</div>
    </Panel>
  )
}

function CheckButton({ command, info }: { command: CheckCommand; info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const button = useTeamCommand(command)
  return (
    <Button
      // The card of a ready milestone has the primary button.
      variant="secondary"
      className="w-full px-1! py-1! text-xs!"
      {...button}
      disabled={!info || button.disabled}
      onClick={() => checkMilestones(command)}
    >
      {t(command === 'check-reached' ? 'cards.checkReached' : 'cards.checkReward')}
    </Button>
  )
}
