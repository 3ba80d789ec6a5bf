import { atom } from 'jotai'
import { appInfoAtom } from '#client/data/app-info.ts'
import { memberIdAtom } from '#client/data/member-data.ts'
import { type Money, sum } from '#rules/money/money'
import { TASKS, type TaskDefinition } from '#rules/money/tasks'
import { type Completions, completedAtom, rememberedAtom } from './completed-tasks.ts'

/** A task as its card shows it (Specification §3). */
export type Task = TaskDefinition & {
  /** Page that Visit opens; absent while it is unknown. */
  link: string | undefined
  completed: boolean
  completedAt: string | undefined
}

const utcDay = (at: string | number) => new Date(at).toISOString().slice(0, 10)

/** When the task was completed, if that still counts: a daily task counts for its UTC day. */
export function completionOf(
  { id, dailyLimit }: Pick<TaskDefinition, 'id' | 'dailyLimit'>,
  completions: Completions,
  now: number,
): string | undefined {
  const at = completions[id]
  if (at === undefined || Number.isNaN(Date.parse(at))) return undefined
  return dailyLimit && utcDay(at) !== utcDay(now) ? undefined : at
}

/** Completions from the server, plus those stored on the device since its last answer. */
const completionsAtom = atom((get): Completions => {
  const memberId = get(memberIdAtom)
  const confirmed = get(completedAtom).data?.completedTasks ?? []
  const remembered = memberId === undefined ? {} : get(rememberedAtom)(memberId)
  const own = confirmed.map(({ taskId, completedAt }) => [taskId, completedAt])
  return { ...remembered, ...Object.fromEntries(own) }
})

export const tasksAtom = atom((get): Task[] => {
  const completions = get(completionsAtom)
  const links = get(appInfoAtom).data?.taskLinks
  return TASKS.map((task) => {
    const completedAt = completionOf(task, completions, Date.now())
    return { ...task, link: links?.[task.id], completed: completedAt !== undefined, completedAt }
  })
})

export type TaskSummary = { done: number; all: number; percent: number; earned: Money }

/** The member's progress with the tasks, and the TESP earned by them. */
export function summaryOf(tasks: Task[]): TaskSummary {
  const done = tasks.filter(({ completed }) => completed)
  const percent = tasks.length === 0 ? 0 : Math.round((done.length / tasks.length) * 100)
  const earned = sum(...done.map(({ reward }) => reward))
  return { done: done.length, all: tasks.length, percent, earned }
}
