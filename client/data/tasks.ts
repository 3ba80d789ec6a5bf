import { currentLanguage } from '#client/language/language.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { Task, TaskList, TaskTexts } from '#rules/snapshots'
import { call, isSignedOut } from './api.ts'
import { memberQuery, receiveAnswer } from './member-data.ts'

async function readTasks(): Promise<TaskList | null> {
  try {
    return await call('GET /api/tasks')
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return null
  }
}

/** Real ms until the list is read again: a task starts or ends, or the day of daily tasks ends; else false. */
function nextReadMs(list: TaskList | null | undefined): number | false {
  if (!list) return false
  const { tasks, asOf, changesInMs } = list
  const isDaily = tasks.some(({ dailyLimit }) => dailyLimit !== undefined)
  const changes = [changesInMs, isDaily && DAY_MS - (asOf % DAY_MS) + SECOND_MS]
  const next = Math.min(...changes.filter((ms) => typeof ms === 'number'))
  return next < Number.POSITIVE_INFINITY && Math.min(HOUR_MS, Math.max(SECOND_MS, next))
}

/** The tasks, fresh for a minute as the completed ones; null when nobody is signed in. */
export const taskListAtom = memberQuery<TaskList | null>('/api/tasks', readTasks, {
  staleTime: MINUTE_MS,
  refetchInterval: ({ state }) => nextReadMs(state.data),
})

export const reloadTasks = () => receiveAnswer('/api/tasks', readTasks())

export const taskTexts = ({ texts }: Task): TaskTexts => texts[currentLanguage()]
