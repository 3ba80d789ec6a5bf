import { useAtomValue } from 'jotai'
import CircleCheckBig from 'lucide-react/icons/circle-check-big'
import ListChecks from 'lucide-react/icons/list-checks'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Sparkles from 'lucide-react/icons/sparkles'
import { useTranslation } from 'react-i18next'
import { messageOf } from '#client/data/api.ts'
import { taskListAtom } from '#client/data/tasks.ts'
import { grouped } from '#client/format/amounts.ts'
import { i18n } from '#client/language/language.ts'
import { LoadError } from '#client/layout/connection-notes.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Skeleton, Spinner } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { display } from '#rules/money/money'
import { completedAtom } from './completed-tasks.ts'
import { TaskCard } from './task-card.tsx'
import { refreshTasks } from './task-commands.ts'
import { isPending, type MemberTask, summaryOf, tasksAtom } from './task-list.ts'

export function TasksScreen() {
  const { t } = useTranslation(['tasks', 'layout'])
  const reads = [useAtomValue(taskListAtom), useAtomValue(completedAtom)]
  const failed = reads.find(({ isError }) => isError)
  const tasks = useAtomValue(tasksAtom)
  return (
    <div className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-lg">{t('layout:titles./tasks')}</h1>
        <Button variant="secondary" icon={RefreshCw} onPress={refreshTasks}>
          {t('refresh')}
        </Button>
        <p className="text-sm text-muted">{t('explanation')}</p>
      </header>
      {failed ? (
        <LoadError
          title={t('loadFailed')}
          cause={messageOf(failed.error, i18n.t('noAnswer'))}
          query={{ ...failed, refetch: () => reads.map(({ refetch }) => refetch()) }}
        />
      ) : reads.some(({ isPending }) => isPending) ? (
        // About as high as the two tasks of the specification.
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
          <Skeleton className="h-48 rounded-panel" />
          <Skeleton className="h-48 rounded-panel" />
        </>
      ) : (
        <>
          <ProgressCard tasks={tasks} />
          <TaskTabs tasks={tasks} />
        </>
      )}
    </div>
  )
}

function ProgressCard({ tasks }: { tasks: MemberTask[] }) {
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

function tabsOf(tasks: MemberTask[]) {
  return [
    { value: 'all', empty: 'noneAvailable', Icon: ListChecks, tasks },
    {
      value: 'pending',
      empty: tasks.every(({ completed }) => completed) ? 'nonePending' : 'noneOpen',
      Icon: Sparkles,
      tasks: tasks.filter(isPending),
    },
    {
      value: 'completed',
      empty: 'noneCompleted',
      Icon: CircleCheckBig,
      tasks: tasks.filter(({ completed }) => completed),
    },
  ] as const
}

export function TaskTabs({ tasks }: { tasks: MemberTask[] }) {
  const { t } = useTranslation(['tasks', 'layout'])
  const tabs = tabsOf(tasks)
  const keptFocus = useKeptFocus()
  return (
    <Tabs defaultValue="all" className="flex flex-col gap-3">
      <TabsList aria-label={t('layout:titles./tasks')}>
        {tabs.map(({ value, tasks: { length } }) => (
          <TabsTrigger key={value} value={value}>
            {t(`tabs.${value}`)} ({length})
          </TabsTrigger>
        ))}
      </TabsList>
      {tabs.map(({ value, tasks, empty, Icon }) => (
        <TabsContent key={value} value={value} {...keptFocus}>
          {tasks.length === 0 ? (
            <div className="flex flex-col items-center gap-3 rounded-panel border border-line bg-panel py-12 text-center">
              <Icon className="size-7 text-muted" strokeWidth={1.5} />
              <p className="text-sm text-muted">{t(`tabs.${empty}`)}</p>
            </div>
          ) : (
            <ul className="flex flex-col gap-3">
              {tasks.map((task) => (
                <TaskCard key={task.id} task={task} />
              ))}
            </ul>
          )}
        </TabsContent>
      ))}
    </Tabs>
  )
}
