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

/** Tasks whose claim is not answered yet; `retrying` while it is sent again. */
export const claimingAtom = atom<ReadonlyMap<string, { retrying: boolean }>>(new Map())

export const refreshingAtom = atom(false)

/** Before the task's id, the name of the press that claims it. */
const CLAIM = 'task:'

function refuse(title: string, description: string) {
  toast({ variant: 'destructive', title, description })
}

function refuseUnknown() {
  refuse('Cannot Claim Reward', 'Task does not exist!')
}

/** The server's word corrects the device, whichever of the two was wrong. */
function refuseSecond() {
  refuse('Already Claimed', 'You have already claimed the reward for this task!')
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

/** Claims the reward of a task, once: what is known to be claimed is not asked for again. */
export async function claimTask(taskId: string): Promise<void> {
  const memberId = store.get(memberIdAtom)
  if (memberId === undefined || store.get(claimingAtom).has(taskId)) return
  const task = taskOf(taskId)
  if (!task) return refuseUnknown()
  if (isCompleted(task, memberId)) return refuseSecond()
  await sendClaim(memberId, taskId, rememberCommand(memberId, `${CLAIM}${taskId}`))
}

async function sendClaim(
  memberId: number,
  taskId: string,
  pressed: PendingCommand,
  retrying = false,
): Promise<void> {
  const send = (idempotencyKey: string) =>
    call('POST /api/tasks/complete', { body: { taskId }, idempotencyKey })
  setClaiming(taskId, { retrying })
  try {
    await sendCommand(memberId, pressed, send, () => setClaiming(taskId, { retrying: true }))
    countClaim()
    rememberTask(memberId, taskId, new Date().toISOString())
    const description = 'You have received the reward for this task! Check your wallet balance.'
    toast({ title: 'Success!', description })
    await refresh(COMPLETED_URL, WALLET_URL, ACTIVITY_URL)
  } catch (error) {
    await failed(error)
  } finally {
    setClaiming(taskId, null)
  }
}

/** Sends again what was pressed before the page was loaded anew and never answered. */
export async function resumeClaims(memberId: number, unanswered: PendingCommand[]): Promise<void> {
  const claims = unanswered.filter(({ name }) => name.startsWith(CLAIM))
  await Promise.all(
    claims.map((one) => sendClaim(memberId, one.name.slice(CLAIM.length), one, true)),
  )
}

async function failed(error: unknown) {
  const code = error instanceof ApiError ? error.answer?.code : undefined
  if (code === 'task_claimed') return refuseSecond()
  if (code === 'task_unknown') return refuseUnknown()
  if (isSignedOut(error)) recheckUser()
  refuse('Error', messageOf(error, 'Could not claim reward'))
  // Nobody here may know whether the reward was paid.
  await refresh(COMPLETED_URL)
}

/** Reads the completed tasks again and says so, in Vietnamese (Specification §8). */
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
