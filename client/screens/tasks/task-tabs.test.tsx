import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { TASKS } from '#client/testing/tasks.ts'
import type { Task } from '#rules/snapshots'
import { memberTask } from './task-list.ts'
import { TaskTabs } from './tasks-screen.tsx'

const showTasks = (tasks: Task[]) =>
  show(<TaskTabs tasks={tasks.map((task) => memberTask(task, [], {}, 0))} />)

it('an empty task list shows a notice', () => {
  showTasks([])
  expect(screen.getByText('No tasks available')).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'All Tasks (0)' })).toBeTruthy()
})

it('a daily task has a Daily badge, and counts its claims of the day if it pays several', () => {
  showTasks(TASKS.map((task, at) => (at === 0 ? { ...task, dailyLimit: 3 } : task)))
  expect(screen.getAllByText('Daily')).toHaveLength(1)
  expect(screen.getByText(/0 of 3 today/)).toBeTruthy()
})
