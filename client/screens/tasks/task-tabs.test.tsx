import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { TASKS } from '#rules/money/tasks'
import { TaskTabs } from './tasks-screen.tsx'

it('an empty task list shows a notice', () => {
  show(<TaskTabs tasks={[]} />)
  expect(screen.getByText('No tasks available')).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'All Tasks (0)' })).toBeTruthy()
})

it('a daily task has a Daily badge', () => {
  const tasks = TASKS.map((task, at) => ({
    ...task,
    dailyLimit: at === 0 ? 1 : undefined,
    link: undefined,
    completed: false,
    completedAt: undefined,
  }))
  show(<TaskTabs tasks={tasks} />)
  expect(screen.getAllByText('Daily')).toHaveLength(1)
})
