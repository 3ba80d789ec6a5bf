import { useTranslation } from 'react-i18next'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { Spinner } from '#client/ui/states/spinner.tsx'
import { TASKS } from '#rules/money/tasks'
import { WaitingTaskCard } from './task-card.tsx'

/**
 * The screen until the completed tasks are loaded. The texts of the tasks are readable at once: a page
 * of the gateway begins with them.
 */
export function TasksWaiting() {
  const { t } = useTranslation('tasks')
  return (
    <>
      <Panel className="flex min-h-40.75 flex-col items-center justify-center gap-3">
        <span className="text-mint">
          <Spinner />
        </span>
        <p role="status" className="text-sm text-muted">
          {t('loading')}
        </p>
      </Panel>
      <Skeleton className="h-13.5 rounded-control" />
      <ul className="flex flex-col gap-3">
        {TASKS.map((task) => (
          <WaitingTaskCard key={task.id} task={task} />
        ))}
      </ul>
    </>
  )
}
