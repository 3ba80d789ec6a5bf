import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { store } from '#client/data/query-cache.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { DAY_MS } from '#rules/constants'
import { isFinal, type StoredCommand } from './command-state.ts'

/**
 * A command whose sign-in ended before its outcome was known. Its input is not kept: the device may have
 * another user now.
 */
type EndedCommand = Pick<StoredCommand, 'key' | 'name' | 'issuedAt'> & {
  /** The server has spent its key before a request used it. */
  notDone?: true
}

/** The server knows a key for two days. */
const LONGEST_MS = DAY_MS

/** The commands of the member that were not done because a sign-in ended. */
export const notDoneAtom = atom<EndedCommand[]>([])

const isEnded = (value: unknown): value is EndedCommand =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.name === 'string' &&
  typeof value.issuedAt === 'number'

function read(memberId: number): EndedCommand[] {
  const stored = storage.readFor(memberId, 'endedCommands')
  return Array.isArray(stored) ? stored.filter(isEnded) : []
}

function write(memberId: number, commands: EndedCommand[]): void {
  storage.writeFor(memberId, 'endedCommands', commands.length > 0 ? commands : undefined)
}

/** Keeps which commands of a sign-in that has ended are without an outcome; all tabs may call it. */
export function keepEnded(memberId: number, commands: StoredCommand[]): void {
  const kept = read(memberId)
  // A command that the member undid, or the server rejected, is not expected to be done.
  const open = commands.filter(
    ({ key, state }) =>
      !isFinal(state) &&
      state !== 'undoing' &&
      state !== 'refusing' &&
      !kept.some((one) => one.key === key),
  )
  if (open.length === 0) return
  const added = open.map(({ key, name, issuedAt }) => ({ key, name, issuedAt }))
  write(memberId, [...kept, ...added])
}

/** Whether the key of a command was spent now, so that it never takes effect; undefined without an answer. */
async function spend({ key }: EndedCommand): Promise<boolean | undefined> {
  try {
    return (await call('POST /api/commands/cancel', { body: { key } })).cancelled
  } catch {
    return undefined
  }
}

/**
 * Finds out, after the next sign-in of the member, which of their ended commands were not done, and shows
 * them. Without an answer the next page load asks again.
 */
export async function showEnded(memberId: number, isCurrent: () => boolean): Promise<void> {
  // At a sign-out this is called for a moment before the user is unset.
  await Promise.resolve()
  if (!isCurrent()) return
  for (const command of read(memberId)) {
    const isOld = Date.now() - command.issuedAt > LONGEST_MS
    if (!command.notDone && !isOld) {
      const isSpent = await spend(command)
      if (!isCurrent()) return
      if (isSpent === undefined) continue
      if (isSpent) command.notDone = true
    }
    const others = read(memberId).filter(({ key }) => key !== command.key)
    write(memberId, command.notDone ? [...others, command] : others)
  }
  store.set(notDoneAtom, (shown) => {
    const next = read(memberId).filter(({ notDone }) => notDone)
    return next.length === 0 && shown.length === 0 ? shown : next
  })
}

/** Removes the note about a command. */
export function dismissEnded(memberId: number, key: string): void {
  write(
    memberId,
    read(memberId).filter((one) => one.key !== key),
  )
  store.set(notDoneAtom, (shown) => shown.filter((one) => one.key !== key))
}
