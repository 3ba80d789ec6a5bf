import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { type EndedCommand, storage } from '#client/data/storage.ts'
import { DAY_MS } from '#rules/constants'

/** The server knows a key for two days. */
const LONGEST_MS = DAY_MS

export const notDoneAtom = atom<EndedCommand[]>([])

function write(memberId: number, commands: EndedCommand[]): void {
  storage.writeFor(memberId, 'endedCommands', commands.length > 0 ? commands : undefined)
}

/** Whether the key of a command was spent now, so that it never takes effect; undefined without an answer. */
async function spend({ key }: EndedCommand): Promise<boolean | undefined> {
  try {
    return (await call('POST /api/commands/cancel', { body: { key } })).cancelled
  } catch {
    return undefined
  }
}

/** Finds and shows the ended commands that were not done. Without an answer the next page load asks again. */
export async function showEnded(memberId: number, isCurrent: () => boolean): Promise<void> {
  // At a sign-out this is called for a moment before the user is unset.
  await Promise.resolve()
  if (!isCurrent()) return
  for (const command of storage.endedCommands(memberId)) {
    const isOld = Date.now() - command.issuedAt > LONGEST_MS
    if (!command.notDone && !isOld) {
      const isSpent = await spend(command)
      if (!isCurrent()) return
      if (isSpent === undefined) continue
      if (isSpent) command.notDone = true
    }
    const others = storage.endedCommands(memberId).filter(({ key }) => key !== command.key)
    write(memberId, command.notDone ? [...others, command] : others)
  }
  store.set(notDoneAtom, (shown) => {
    const next = storage.endedCommands(memberId).filter(({ notDone }) => notDone)
    return next.length === 0 && shown.length === 0 ? shown : next
  })
}

export function dismissEnded(key: string): void {
  const memberId = currentUser()?.id
  if (memberId === undefined) return
  const others = storage.endedCommands(memberId).filter((one) => one.key !== key)
  write(memberId, others)
  store.set(notDoneAtom, (shown) => shown.filter((one) => one.key !== key))
}
