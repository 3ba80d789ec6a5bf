import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { vi } from 'vitest'
import { TasksScreen } from '#client/screens/tasks/tasks-screen.tsx'
import { NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { TASKS, taskList } from '#client/testing/tasks.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { CompletedTask } from '#rules/snapshots'

/** Completion time of every task in the tests, ISO 8601. */
export const at = new Date(NOW).toISOString()

export function done(taskId: string, rewardAmount = '2.00000000'): CompletedTask {
  return { taskId, completedAt: at, rewardAmount, rewardType: 'TESP' }
}

/** Completions of every task just now, because a daily task counts for the current UTC day only. */
export function allDone(): CompletedTask[] {
  const completedAt = new Date().toISOString()
  return TASKS.map(({ id, reward }) => ({ ...done(id, reward), completedAt }))
}

export const progressText = (completed: number) => `${completed} of ${TASKS.length} completed`

/** The completed tasks that the server answers with. */
let paid: CompletedTask[] = []

export const paidTasks = () => paid

export function setPaid(...tasks: CompletedTask[]): void {
  paid = tasks
}

/** Signs a member in and clears the storage and the completed tasks. */
export function startTasks(): void {
  vi.stubGlobal('__APP_VERSION__', '0.1.0')
  localStorage.clear()
  clearToast()
  startAs()
  setPaid()
}

export function openTasks(handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    'GET /api/tasks': () => json(taskList()),
    'GET /api/tasks/completed': () => json({ completedTasks: paid }),
    'POST /api/tasks/complete': ({ init }) => {
      setPaid(...paid, done(JSON.parse(String(init.body)).taskId))
      return json({ success: true, message: '', reward: { amount: 2, type: 'TESP' } })
    },
    ...handlers,
  })
  show(<TasksScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

/** The card of a task, once its completion is known. */
export const card = async (title: string) => {
  await screen.findByRole('tablist')
  return within((await screen.findByRole('heading', { name: title })).closest('li') as HTMLElement)
}

export const claimButton = async (title: string) =>
  (await card(title)).getByRole<HTMLButtonElement>('button', { name: /Claim/ })

/** The completed tasks stored on the device, by member and task. */
export const memory = () => JSON.parse(localStorage.getItem('completedTasks') ?? '{}')
