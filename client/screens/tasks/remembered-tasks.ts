import { atom } from 'jotai'
import { store } from '#client/data/member-data.ts'
import { isRecord, storage } from '#client/data/storage.ts'

/**
 * The tasks that a member has completed, as stored on the device (Specification §4). Only a cache:
 * it blocks a second claim before a request is sent, and each answer of the server replaces it.
 */

/** Completion times (ISO 8601) by task id. */
export type Completions = Record<string, string>

/** Counts changes of the stored tasks, so that atoms read them again. */
const changesAtom = atom(0)
changesAtom.onMount = (set) => {
  const readAgain = () => set((count) => count + 1)
  readAgain()
  return storage.onOtherTab('completedTasks', readAgain)
}

/** The stored tasks of a member, for screens. */
export const rememberedAtom = atom((get) => {
  get(changesAtom)
  // A new function after each change, so that dependent atoms are computed again.
  return (memberId: number) => rememberedTasks(memberId)
})

/** The stored tasks of a member now, including those that other tabs have stored. */
export function rememberedTasks(memberId: number): Completions {
  const stored = storage.readFor(memberId, 'completedTasks')
  if (!isRecord(stored)) return {}
  const valid = Object.entries(stored).filter(([, at]) => typeof at === 'string')
  return Object.fromEntries(valid) as Completions
}

/** Adds a task after the member was paid for it. */
export function rememberTask(memberId: number, taskId: string, completedAt: string): void {
  rememberOnly(memberId, { ...rememberedTasks(memberId), [taskId]: completedAt })
}

/** Replaces the stored tasks of a member by those that the server reports. */
export function rememberOnly(memberId: number, completions: Completions): void {
  storage.writeFor(memberId, 'completedTasks', completions)
  store.set(changesAtom, (count) => count + 1)
}
