import { atom } from 'jotai'
import { type PendingCommand, rememberCommand } from '#client/commands/pending-commands.ts'
import { sendCommand } from '#client/commands/send-command.ts'
import { ApiError, call, isSignedOut, messageOf } from '#client/data/api.ts'
import {
  ACTIVITY_URL,
  currentUser,
  memberIdAtom,
  recheckUser,
  refresh,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { toast } from '#client/ui/toast.tsx'
import { type TaskDefinition, taskOf } from '#rules/tasks'
import { COMPLETED_URL, countClaim, reloadCompleted } from './completed-tasks.ts'
import { rememberedTasks, rememberTask } from './remembered-tasks.ts'
import { completionOf, tasksAtom } from './task-list.ts'

/** Claims without an answer yet, by task id; `retrying` while the request is repeated. */
export const claimingAtom = atom<ReadonlyMap<string, { retrying: boolean }>>(new Map())

export const refreshingAtom = atom(false)

/** Prefix of the task id in the stored name of the command. */
const COMMAND_PREFIX = 'task:'

function showRejection(title: string, description: string) {
  toast({ variant: 'destructive', title, description })
}

function rejectUnknown() {
  showRejection('Cannot Claim Reward', 'Task does not exist!')
}

/** Reads the completed tasks again, because device and server may disagree. */
function rejectSecond() {
  showRejection('Already Claimed', 'You have already claimed the reward for this task!')
  return refresh(COMPLETED_URL)
}

function isCompleted(task: TaskDefinition, memberId: number): boolean {
  if (store.get(tasksAtom).some(({ id, completed }) => id === task.id && completed)) return true
  return completionOf(task, rememberedTasks(memberId), Date.now()) !== undefined
}

function setClaiming(taskId: string, claiming: { retrying: boolean } | null) {
  const next = new Map(store.get(claimingAtom))
  if (claiming) next.set(taskId, claiming)
  else next.delete(taskId)
  store.set(claimingAtom, next)
}

/** Claims the reward of a task; a task known as completed is rejected without a request. */
export async function claimTask(taskId: string): Promise<void> {
  const memberId = store.get(memberIdAtom)
  if (memberId === undefined || store.get(claimingAtom).has(taskId)) return
  const task = taskOf(taskId)
  if (!task) return rejectUnknown()
  if (isCompleted(task, memberId)) return rejectSecond()
  await sendClaim(memberId, taskId, rememberCommand(memberId, `${COMMAND_PREFIX}${taskId}`))
}

async function sendClaim(
  memberId: number,
  taskId: string,
  command: PendingCommand,
  retrying = false,
): Promise<void> {
  const send = (idempotencyKey: string) =>
    call('POST /api/tasks/complete', { body: { taskId }, idempotencyKey })
  setClaiming(taskId, { retrying })
  try {
    await sendCommand(memberId, command, send, () => setClaiming(taskId, { retrying: true }))
    countClaim()
    rememberTask(memberId, taskId, new Date().toISOString())
    const description = 'You have received the reward for this task! Check your wallet balance.'
    toast({ title: 'Success!', description })
    await refresh(COMPLETED_URL, WALLET_URL, ACTIVITY_URL)
  } catch (error) {
    await handleFailure(error)
  } finally {
    setClaiming(taskId, null)
  }
}

/** Resumes the claims that an earlier load of the page left without an answer. */
export async function resumeClaims(memberId: number, pending: PendingCommand[]): Promise<void> {
  const claims = pending.filter(({ name }) => name.startsWith(COMMAND_PREFIX))
  await Promise.all(
    claims.map((one) => sendClaim(memberId, one.name.slice(COMMAND_PREFIX.length), one, true)),
  )
}

async function handleFailure(error: unknown) {
  const code = error instanceof ApiError ? error.answer?.code : undefined
  if (code === 'task_claimed') return rejectSecond()
  if (code === 'task_unknown') return rejectUnknown()
  if (isSignedOut(error)) recheckUser()
  showRejection('Error', messageOf(error, 'Could not claim reward'))
  // The outcome may be unknown: the server answers whether the reward was paid.
  await refresh(COMPLETED_URL)
}

/** Reads the completed tasks again and shows a toast, in Vietnamese (Specification §8). */
export async function refreshTasks(): Promise<void> {
  const memberId = currentUser()?.id
  if (store.get(refreshingAtom)) return
  store.set(refreshingAtom, true)
  try {
    const answer = await reloadCompleted()
    if (answer && currentUser()?.id === memberId) toast({ title: 'Đã làm mới' })
  } catch {
    toast({ variant: 'destructive', title: 'Lỗi làm mới' })
  } finally {
    store.set(refreshingAtom, false)
  }
}
