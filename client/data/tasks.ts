import { currentLanguage } from '#client/language/language.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { Task, TaskList, TaskTexts } from '#rules/snapshots'
import { call, isSignedOut } from './api.ts'
import { currentUser, memberKey, memberQuery, TASKS_URL } from './member-data.ts'
import { queryClient } from './query-cache.ts'

async function readTasks(): Promise<TaskList | null> {
  try {
    return await call('GET /api/tasks')
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return null
  }
}

/** Real ms until the list is read again because a task starts or ends by itself; false if none does. */
function nextReadMs(list: TaskList | null | undefined): number | false {
  if (typeof list?.changesInMs !== 'number') return false
  return Math.min(HOUR_MS, Math.max(SECOND_MS, list.changesInMs))
}

/** The tasks, fresh for a minute as the completed ones; null when nobody is signed in. */
export const taskListAtom = memberQuery<TaskList | null>(TASKS_URL, readTasks, {
  staleTime: MINUTE_MS,
  refetchInterval: ({ state }) => nextReadMs(state.data),
})

/** Reads the tasks now; rejects if that fails. */
export async function reloadTasks(): Promise<void> {
  const queryKey = memberKey(TASKS_URL, currentUser()?.id)
  queryClient.setQueryData(queryKey, await readTasks())
}

/** The texts of a task in the language on the screen. */
export const taskTexts = ({ texts }: Task): TaskTexts => texts[currentLanguage()]
