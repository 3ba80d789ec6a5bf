import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { Panel } from '#client/ui/panel.tsx'
import { Progress } from '#client/ui/states/progress.tsx'
import { display } from '#rules/money/money'
import { summaryOf, type Task } from './task-list.ts'

export function ProgressCard({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation('tasks')
  const { done, all, percent, earned } = summaryOf(tasks)
  const text = t('progress.done', { done, all })
  return (
    <Panel aria-label={t('progress.label')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-medium">{text}</p>
        <p className="figure text-lg font-medium text-mint">{percent}%</p>
      </div>
      <Progress value={percent} label={t('progress.bar')} valueText={text} className="mt-3" />
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6rem),1fr))] gap-4 border-line border-t pt-3">
        <div>
          <dt className="text-xs text-muted">{t('progress.completed')}</dt>
          <dd className="figure mt-0.5 text-lg font-medium">{done}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">{t('progress.earned')}</dt>
          <dd className="figure mt-0.5 text-lg font-medium">{grouped(display(earned, 1))}</dd>
        </div>
      </dl>
    </Panel>
  )
}
