import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { taskList } from '#client/testing/tasks.ts'
import { TasksScreen } from './tasks-screen.tsx'
import { progressText } from './testing/open-tasks.tsx'

beforeEach(() => startAs())
afterEach(() => vi.unstubAllGlobals())

it('the tasks screen has the heading Tasks and a Refresh button', async () => {
  serve({
    'GET /api/tasks': () => json(taskList()),
    'GET /api/tasks/completed': () => json({ completedTasks: [] }),
  })
  show(<TasksScreen />)
  await screen.findByText(progressText(0))
  const heading = screen.getByRole('heading', { level: 1, name: 'Tasks' })
  expect(heading.parentElement).toBe(screen.getByRole('button', { name: 'Refresh' }).parentElement)
})
