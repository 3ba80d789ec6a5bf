import type { CommandDefinition } from '#client/commands/command-type.ts'
import { issueCommand } from '#client/commands/commands.ts'
import { answerOf, call } from '#client/data/api.ts'
import { currentUser, snapshotOf } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { serverNow } from '#client/data/server-clock.ts'
import { reloadTasks } from '#client/data/tasks.ts'
import { i18n } from '#client/language/language.ts'
import { showError, showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { Task, TaskClaim } from '#rules/snapshots'
import { reloadCompleted, rememberedTasks, rememberTask } from './completed-tasks.ts'
import { memberTask, tasksAtom } from './task-list.ts'

export const taskMutexKey = (taskId: string) => `task:${taskId}`

function rejectUnknown() {
  showError(i18n.t('tasks:unknownTitle'), i18n.t('tasks:unknown'))
}

/** Reads the completed tasks again, because device and server may disagree. */
function rejectSecond() {
  showError(i18n.t('tasks:alreadyTitle'), i18n.t('tasks:already'))
  return refresh('/api/tasks/completed')
}

function isCompleted(task: Task, memberId: number): boolean {
  if (store.get(tasksAtom).some(({ id, completed }) => id === task.id && completed)) return true
  return memberTask(task, [], rememberedTasks(memberId), serverNow()).completed
}

/** `code` is the code word of a task that asks for one. */
type ClaimInput = { taskId: string; code?: string }

export const taskDefinition: CommandDefinition<ClaimInput, TaskClaim> = {
  name: 'task',
  mutexKey: ({ taskId }) => taskMutexKey(taskId),
  send: (body, idempotencyKey) => call('POST /api/tasks/complete', { body, idempotencyKey }),
  async onDone(_, { input: { taskId } }) {
    const memberId = currentUser()?.id
    if (memberId !== undefined) {
      rememberTask(memberId, taskId, new Date(serverNow()).toISOString())
    }
    toast({ title: i18n.t('tasks:doneTitle'), description: i18n.t('tasks:done') })
    await refresh('/api/tasks/completed', '/api/wallet', '/api/wallet/activity')
  },
  async onRefused(error) {
    const code = answerOf(error)?.code
    if (code === 'task_claimed') return rejectSecond()
    if (code === 'task_unknown') return rejectUnknown()
    showFailure(i18n.t('tasks:failedTitle'), error, i18n.t('tasks:failed'))
    await refresh('/api/tasks/completed', '/api/tasks')
  },
}

/** Rejects a task that is completed, or missing in the server's list, without a request. */
export async function claimTask(taskId: string, code?: string): Promise<void> {
  const memberId = currentUser()?.id
  if (memberId === undefined) return
  const list = snapshotOf('/api/tasks')
  const task = list?.tasks.find(({ id }) => id === taskId)
  if (list && !task) return rejectUnknown()
  if (task && isCompleted(task, memberId)) return rejectSecond()
  await issueCommand(taskDefinition, { taskId, ...(code !== undefined && { code }) })
}

/** Shows a toast, in Vietnamese (Specification §8). */
export async function refreshTasks(): Promise<void> {
  const memberId = currentUser()?.id
  try {
    const [answer] = await Promise.all([reloadCompleted(), reloadTasks(), refresh('/api/telegram')])
    if (answer && currentUser()?.id === memberId) toast({ title: i18n.t('tasks:refreshed') })
  } catch {
    showError(i18n.t('tasks:notRefreshed'))
  }
}
