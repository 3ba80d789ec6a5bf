import { CircleCheckBig, ListChecks, type LucideIcon, Sparkles } from 'lucide-react'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { TaskCard } from './task-card.tsx'
import type { Task } from './task-list.ts'

type Tab = { value: string; label: string; empty: string; Icon: LucideIcon; tasks: Task[] }

function tabsOf(tasks: Task[]): Tab[] {
  return [
    { value: 'all', label: 'All Tasks', empty: 'No tasks available', Icon: ListChecks, tasks },
    {
      value: 'pending',
      label: 'Pending',
      empty: 'All tasks completed!',
      Icon: Sparkles,
      tasks: tasks.filter(({ completed }) => !completed),
    },
    {
      value: 'completed',
      label: 'Completed',
      empty: 'No completed tasks yet',
      Icon: CircleCheckBig,
      tasks: tasks.filter(({ completed }) => completed),
    },
  ]
}

export function TaskTabs({ tasks }: { tasks: Task[] }) {
  const tabs = tabsOf(tasks)
  return (
    <Tabs defaultValue="all" className="flex flex-col gap-4">
      <TabsList aria-label="Tasks">
        {tabs.map(({ value, label, tasks: { length } }) => (
          <TabsTrigger key={value} value={value}>
            {label} ({length})
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
  if (tasks.length === 0) {
    return (
      <div className="flex flex-col items-center gap-3 rounded-panel border border-line bg-panel py-12 text-center">
        <Icon aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
        <p className="text-sm text-muted">{empty}</p>
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
