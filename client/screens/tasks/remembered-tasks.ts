import { atom } from 'jotai'
import { store } from '#client/data/member-data.ts'

/**
 * Which tasks a member has completed, remembered on the device (Specification §4). A cache only:
 * it blocks a second claim before the server is asked, and each answer of the server replaces it.
 */
const KEY = 'completedTasks'

/** By task, when it was completed (ISO 8601). */
export type Completions = Record<string, string>
type Memory = Record<string, Completions>

/** For the life of the page, where the browser forbids storage. */
let unstored: Memory = {}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function read(): Memory {
  try {
    const text = localStorage.getItem(KEY)
    const known: unknown = text === null ? unstored : JSON.parse(text)
    return isRecord(known) ? (known as Memory) : {}
  } catch {
    return unstored
  }
}

const memoryAtom = atom<Memory>({})
memoryAtom.onMount = (set) => {
  const follow = () => set(read())
  follow()
  // Another tab of the same browser has claimed something.
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

function completionsIn(memory: Memory, memberId: number): Completions {
  const own: unknown = memory[memberId]
  if (!isRecord(own)) return {}
  const texts = Object.entries(own).filter(([, at]) => typeof at === 'string')
  return Object.fromEntries(texts) as Completions
}

function write(memberId: number, own: Completions) {
  keep({ ...read(), [memberId]: own })
}

function keep(memory: Memory) {
  unstored = memory
  store.set(memoryAtom, memory)
  try {
    if (Object.keys(memory).length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // Private windows may have no storage.
  }
}

/** What the device remembers of that member, as a screen shows it. */
export const rememberedAtom = atom((get) => {
  const memory = get(memoryAtom)
  return (memberId: number) => completionsIn(memory, memberId)
})

/** The same at this very moment, with what other tabs have written. */
export function rememberedTasks(memberId: number): Completions {
  return completionsIn(read(), memberId)
}

/** Adds a task that the member has just been paid for. */
export function rememberTask(memberId: number, taskId: string, completedAt: string): void {
  write(memberId, { ...rememberedTasks(memberId), [taskId]: completedAt })
}

/** Forgets everything about a member. */
export function forgetTasks(memberId: number): void {
  const { [memberId]: _forgotten, ...others } = read()
  keep(others)
}

/** Replaces what is remembered of the member by what the server knows. */
export function rememberOnly(memberId: number, own: Completions): void {
  write(memberId, own)
}
