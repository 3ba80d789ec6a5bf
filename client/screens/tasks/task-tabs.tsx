import type { LucideIcon } from 'lucide-react'
import CircleCheckBig from 'lucide-react/icons/circle-check-big'
import ListChecks from 'lucide-react/icons/list-checks'
import Sparkles from 'lucide-react/icons/sparkles'
import { useTranslation } from 'react-i18next'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { TaskCard } from './task-card.tsx'
import type { Task } from './task-list.ts'

type TabName = 'all' | 'pending' | 'completed'
type Empty = 'noneAvailable' | 'nonePending' | 'noneCompleted'
type Tab = { value: TabName; empty: Empty; Icon: LucideIcon; tasks: Task[] }

function tabsOf(tasks: Task[]): Tab[] {
  return [
    { value: 'all', empty: 'noneAvailable', Icon: ListChecks, tasks },
    {
      value: 'pending',
      empty: 'nonePending',
      Icon: Sparkles,
      tasks: tasks.filter(({ completed }) => !completed),
    },
    {
      value: 'completed',
      empty: 'noneCompleted',
      Icon: CircleCheckBig,
      tasks: tasks.filter(({ completed }) => completed),
    },
  ]
}

export function TaskTabs({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation('tasks')
  const tabs = tabsOf(tasks)
  return (
    <Tabs defaultValue="all" className="flex flex-col gap-3">
      <TabsList aria-label={t('title')}>
        {tabs.map(({ value, tasks: { length } }) => (
          <TabsTrigger key={value} value={value}>
            {t(`tabs.${value}`)} ({length})
          </TabsTrigger>
        ))}
      </TabsList>
      {tabs.map((tab) => (
        <TabsContent key={tab.value} value={tab.value}>
          <TaskList tab={tab} />
        </TabsContent>
      ))}
    </Tabs>
  )
}

function TaskList({ tab: { tasks, empty, Icon } }: { tab: Tab }) {
  const { t } = useTranslation('tasks')
  if (tasks.length === 0) {
    return (
      <div className="flex flex-col items-center gap-3 rounded-panel border border-line bg-panel py-12 text-center">
        <Icon aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
        <p className="text-sm text-muted">{t(`tabs.${empty}`)}</p>
      </div>
    )
  }
  return (
    <ul className="flex flex-col gap-3">
      {tasks.map((task) => (
        <TaskCard key={task.id} task={task} />
      ))}
    </ul>
  )
}
