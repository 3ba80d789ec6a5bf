import { call, isSignedOut } from '#client/data/api.ts'
import { queryClient, recheckUser } from '#client/data/cache/query-client.ts'
import { currentUser, memberKey, memberQuery } from '#client/data/member-data.ts'
import { loadTexts } from '#client/language/load-texts.ts'
import { MINUTE_MS } from '#rules/constants'
import type { CompletedTask } from '#rules/snapshots'
import { rememberOnly } from './remembered-tasks.ts'

export const COMPLETED_URL = '/api/tasks/completed'

type Completed = { completedTasks: CompletedTask[] } | null

/** Claims since the page was loaded. A response requested before a claim may not include it. */
let claims = 0

export function countClaim(): void {
  claims += 1
}

/** Reads the paid tasks and stores them on the device; null when nobody is signed in. */
async function readCompleted(): Promise<Completed> {
  const memberId = currentUser()?.id
  for (;;) {
    const before = claims
    const answer = await call('GET /api/tasks/completed').catch(async (error: unknown) => {
      if (!isSignedOut(error)) {
        // The screen shows the server's message, whose translation is loaded only after the page.
        await loadTexts('messages').catch(() => {})
        throw error
      }
      recheckUser()
      return null
    })
    if (before !== claims) continue
    if (answer && memberId !== undefined) {
      const own = answer.completedTasks.map(({ taskId, completedAt }) => [taskId, completedAt])
      rememberOnly(memberId, Object.fromEntries(own))
    }
    return answer
  }
}

/** The member's completed tasks, fresh for a minute (Specification §7). */
export const completedAtom = memberQuery<Completed>(COMPLETED_URL, readCompleted, {
  staleTime: MINUTE_MS,
})

/** Reads the completed tasks now; rejects if that fails. */
export async function reloadCompleted(): Promise<Completed> {
  const queryKey = memberKey(COMPLETED_URL, currentUser()?.id)
  const answer = await readCompleted()
  queryClient.setQueryData(queryKey, answer)
  return answer
}
