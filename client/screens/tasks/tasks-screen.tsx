import { useAtomValue } from 'jotai'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useTranslation } from 'react-i18next'
import { messageOf } from '#client/data/api.ts'
import { refresh } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { LoadError } from '#client/layout/states/load-error.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { COMPLETED_URL, completedAtom } from './completed-tasks.ts'
import { ProgressCard } from './progress-card.tsx'
import { refreshingAtom, refreshTasks } from './task-commands.ts'
import { tasksAtom } from './task-list.ts'
import { TaskTabs } from './task-tabs.tsx'
import { TasksWaiting } from './tasks-waiting.tsx'

export function TasksScreen() {
  const { t } = useTranslation('tasks')
  const { error, isError, isPending, isFetching } = useAtomValue(completedAtom)
  const tasks = useAtomValue(tasksAtom)
  return (
    <div className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-lg">{t('title')}</h1>
        <RefreshButton />
      </header>
      {isError ? (
        <LoadError
          title={t('loadFailed')}
          text={messageOf(error, i18n.t('noAnswer'))}
          onRetry={() => refresh(COMPLETED_URL)}
          retrying={isFetching}
        />
      ) : isPending ? (
        <TasksWaiting />
      ) : (
        <>
          <ProgressCard tasks={tasks} />
          <TaskTabs tasks={tasks} />
        </>
      )}
    </div>
  )
}

function RefreshButton() {
  const { t } = useTranslation('tasks')
  const refreshing = useAtomValue(refreshingAtom)
  return (
    <Button variant="secondary" busy={refreshing} onClick={refreshTasks}>
      <RefreshCw aria-hidden="true" className="size-4" />
      {t('refresh')}
    </Button>
  )
}
