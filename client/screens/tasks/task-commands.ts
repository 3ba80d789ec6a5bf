import { atom } from 'jotai'
import type { CommandState } from '#client/commands/command-state.ts'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import { commandsAtom, issueCommand } from '#client/commands/commands.ts'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { ACTIVITY_URL, currentUser, refresh, store, WALLET_URL } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import { type TaskDefinition, taskOf } from '#rules/money/tasks'
import type { TaskClaim } from '#rules/snapshots'
import {
  COMPLETED_URL,
  countClaim,
  reloadCompleted,
  rememberedTasks,
  rememberTask,
} from './completed-tasks.ts'
import { completionOf, tasksAtom } from './task-list.ts'

const MUTEX_PREFIX = 'task:'

/** The claims that are under way, by task id. */
export const claimingAtom = atom<ReadonlyMap<string, CommandState>>((get) => {
  const claims = get(commandsAtom).filter(({ mutexKey }) => mutexKey.startsWith(MUTEX_PREFIX))
  return new Map(claims.map(({ mutexKey, state }) => [mutexKey.slice(MUTEX_PREFIX.length), state]))
})

export const refreshingAtom = atom(false)

function showRejection(title: string, description: string) {
  toast({ variant: 'destructive', title, description })
}

function rejectUnknown() {
  showRejection(i18n.t('tasks:unknownTitle'), i18n.t('tasks:unknown'))
}

/** Reads the completed tasks again, because device and server may disagree. */
function rejectSecond() {
  showRejection(i18n.t('tasks:alreadyTitle'), i18n.t('tasks:already'))
  return refresh(COMPLETED_URL)
}

function isCompleted(task: TaskDefinition, memberId: number): boolean {
  if (store.get(tasksAtom).some(({ id, completed }) => id === task.id && completed)) return true
  return completionOf(task, rememberedTasks(memberId), Date.now()) !== undefined
}

export const taskDefinition: CommandDefinition<{ taskId: string }, TaskClaim> = {
  name: 'task',
  mutexKey: ({ taskId }) => `${MUTEX_PREFIX}${taskId}`,
  send: ({ taskId }, idempotencyKey) =>
    call('POST /api/tasks/complete', { body: { taskId }, idempotencyKey }),
  async onDone(_, { input: { taskId } }) {
    countClaim()
    const memberId = currentUser()?.id
    if (memberId !== undefined) rememberTask(memberId, taskId, new Date().toISOString())
    toast({ title: i18n.t('tasks:doneTitle'), description: i18n.t('tasks:done') })
    await refresh(COMPLETED_URL, WALLET_URL, ACTIVITY_URL)
  },
  async onRefused(error) {
    const code = error instanceof ApiError ? error.answer?.code : undefined
    if (code === 'task_claimed') return rejectSecond()
    if (code === 'task_unknown') return rejectUnknown()
    showRejection(i18n.t('tasks:failedTitle'), messageOf(error, i18n.t('tasks:failed')))
    await refresh(COMPLETED_URL)
  },
}

/** Claims the reward of a task; a task known as completed is rejected without a request. */
export async function claimTask(taskId: string): Promise<void> {
  const memberId = currentUser()?.id
  if (memberId === undefined || store.get(claimingAtom).has(taskId)) return
  const task = taskOf(taskId)
  if (!task) return rejectUnknown()
  if (isCompleted(task, memberId)) return rejectSecond()
  await issueCommand(taskDefinition, { taskId })
}

/** Reads the completed tasks again and shows a toast, in Vietnamese (Specification §8). */
export async function refreshTasks(): Promise<void> {
  const memberId = currentUser()?.id
  if (store.get(refreshingAtom)) return
  store.set(refreshingAtom, true)
  try {
    const answer = await reloadCompleted()
    if (answer && currentUser()?.id === memberId) toast({ title: i18n.t('tasks:refreshed') })
  } catch {
    toast({ variant: 'destructive', title: i18n.t('tasks:notRefreshed') })
  } finally {
    store.set(refreshingAtom, false)
  }
}
