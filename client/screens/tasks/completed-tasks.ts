import { atom } from 'jotai'
import { call, isSignedOut } from '#client/data/api.ts'
import { currentUser, memberIdAtom, memberQuery, receiveAnswer } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { loadTexts } from '#client/language/load-texts.ts'
import { MINUTE_MS } from '#rules/constants'
import type { CompletedTask } from '#rules/snapshots'

type Completed = { completedTasks: CompletedTask[] } | null

/** Claims since the page was loaded. A response requested before a claim may not include it. */
let claims = 0

/** Stores the paid tasks on the device too; null when nobody is signed in. */
async function readCompleted(): Promise<Completed> {
  const memberId = currentUser()?.id
  for (;;) {
    const before = claims
    const answer = await call('GET /api/tasks/completed').catch(async (error: unknown) => {
      if (isSignedOut(error)) return null
      // The screen shows the server's message, whose translation is loaded only after the page.
      await loadTexts('errors').catch(() => {})
      throw error
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
export const completedAtom = memberQuery<Completed>('/api/tasks/completed', readCompleted, {
  staleTime: MINUTE_MS,
})

export const reloadCompleted = () => receiveAnswer('/api/tasks/completed', readCompleted())

/** Completion times (ISO 8601) by task id. On the device a cache (Specification §4): each answer replaces it. */
export type Completions = Record<string, string>

/** Counts changes of the stored tasks, so that atoms read them again. */
const changesAtom = atom(0)
changesAtom.onMount = (set) => {
  const readAgain = () => set((count) => count + 1)
  readAgain()
  return storage.onOtherTab('completedTasks', readAgain)
}

export const rememberedAtom = atom((get): Completions => {
  get(changesAtom)
  const memberId = get(memberIdAtom)
  return memberId === undefined ? {} : rememberedTasks(memberId)
})

export function rememberedTasks(memberId: number): Completions {
  const stored = storage.readFor(memberId, 'completedTasks')
  if (!isRecord(stored)) return {}
  const valid = Object.entries(stored).filter(([, at]) => typeof at === 'string')
  return Object.fromEntries(valid) as Completions
}

export function rememberTask(memberId: number, taskId: string, completedAt: string): void {
  claims += 1
  rememberOnly(memberId, { ...rememberedTasks(memberId), [taskId]: completedAt })
}

function rememberOnly(memberId: number, completions: Completions): void {
  storage.writeFor(memberId, 'completedTasks', completions)
  store.set(changesAtom, (count) => count + 1)
}

export function visitedTasks(memberId: number): string[] {
  const stored = storage.readFor(memberId, 'visitedTasks')
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}

export function rememberVisit(memberId: number, taskId: string): void {
  const visited = new Set(visitedTasks(memberId)).add(taskId)
  storage.writeFor(memberId, 'visitedTasks', [...visited])
}
