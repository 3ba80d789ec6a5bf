import { atom } from 'jotai'
import { serverNow, setServerClock } from '#client/data/server-clock.ts'
import { taskListAtom } from '#client/data/tasks.ts'
import { dayText } from '#rules/duration-text'
import { type Money, sum } from '#rules/money/money'
import type { CompletedTask, Task } from '#rules/snapshots'
import { type Completions, completedAtom, rememberedAtom } from './completed-tasks.ts'

/** A task as its card shows it (Specification §3). */
export type MemberTask = Task & {
  /** Paid claims that count now, of a daily task those of the UTC day. */
  claims: number
  completed: boolean
  completedAt: string | undefined
  /** What those claims paid: an operator may have changed the reward since. */
  earned: Money
}

/** A completion of a daily task counts for its UTC day. */
function counts({ dailyLimit }: Task, completedAt: string, now: number): boolean {
  const at = Date.parse(completedAt)
  return !Number.isNaN(at) && (!dailyLimit || dayText(at) === dayText(now))
}

export function memberTask(
  task: Task,
  confirmed: CompletedTask[],
  remembered: Completions,
  now: number,
): MemberTask {
  const { id, dailyLimit = 1 } = task
  const paid = confirmed.filter(({ taskId }) => taskId === id)
  // The device remembers only when the last claim was, which is not enough to count several.
  const last = paid.at(-1) ?? { completedAt: remembered[id] ?? '', rewardAmount: task.reward }
  const known = dailyLimit > 1 ? paid : [last]
  const counted = known.filter(({ completedAt }) => counts(task, completedAt, now))
  const completed = counted.length >= dailyLimit
  return {
    ...task,
    claims: counted.length,
    completed,
    completedAt: completed ? counted.at(-1)?.completedAt : undefined,
    earned: sum(...counted.map(({ rewardAmount }) => rewardAmount)),
  }
}

const NONE: Task[] = []

export const tasksAtom = atom((get): MemberTask[] => {
  const confirmed = get(completedAtom).data?.completedTasks ?? []
  const remembered = get(rememberedAtom)
  const { data: list, dataUpdatedAt } = get(taskListAtom)
  if (list) setServerClock(list.asOf, dataUpdatedAt)
  const now = serverNow()
  return (list?.tasks ?? NONE).map((task) => memberTask(task, confirmed, remembered, now))
})

export const isPending = ({ completed, state }: MemberTask) => !completed && state === 'open'

/** `all` are the tasks that the member has completed or still can complete. */
export function summaryOf(tasks: MemberTask[]) {
  const done = tasks.filter(({ completed }) => completed).length
  const all = done + tasks.filter(isPending).length
  const percent = all === 0 ? 0 : Math.round((done / all) * 100)
  const earned = sum(...tasks.map((task) => task.earned))
  return { done, all, percent, earned }
}
