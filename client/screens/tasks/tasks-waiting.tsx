import { useTranslation } from 'react-i18next'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { Spinner } from '#client/ui/states/spinner.tsx'

/** Placeholder of the screen until the completed tasks are loaded. */
export function TasksWaiting() {
  const { t } = useTranslation('tasks')
  return (
    <>
      <Panel className="flex min-h-42.75 flex-col items-center justify-center gap-3">
        <span className="text-mint">
          <Spinner />
        </span>
        <p role="status" className="text-sm text-muted">
          {t('loading')}
        </p>
      </Panel>
      <Skeleton className="h-13.5 rounded-control" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-49.5 rounded-panel" />
        <Skeleton className="h-49.5 rounded-panel" />
      </div>
    </>
  )
}
