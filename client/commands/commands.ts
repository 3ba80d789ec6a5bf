import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { currentUser, memberIdAtom } from '#client/data/member-data.ts'
import { signInAtom, store } from '#client/data/query-cache.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { storage } from '#client/data/storage.ts'
import type { Catalogues } from '#client/language/catalogues.ts'
import { i18n } from '#client/language/language.ts'
import { connectionAtom, onServerAnswer } from '#client/live/connection-state.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import { type CommandQueue, openCommandQueue, type QueuePort } from './command-queue.ts'
import type { CommandState, StoredCommand } from './command-state.ts'
import type { CommandDefinition, Outcome } from './command-type.ts'
import { notDoneAtom, showEnded } from './ended-commands.ts'
import { commandStorage } from './stored-command.ts'
import { hasLocks, withTabLock } from './tab-lock.ts'

/** The unfinished commands of the signed-in member, in all tabs of the browser. */
export const commandsAtom = atom<StoredCommand[]>([])

export const runningCommand = (commands: StoredCommand[], mutexKey: string) =>
  commands.find((one) => one.mutexKey === mutexKey)

type Opened = { memberId: number; signIn: number; queue: CommandQueue }

let opened: Opened | null = null
let definitionOf: QueuePort['definitionOf'] | null = null

export function issueCommand<I, A>(
  definition: CommandDefinition<I, A>,
  input: I,
): Promise<Outcome<A>> {
  followMember()
  return opened?.queue.issue(definition, input) ?? Promise.resolve({ state: 'ignored' })
}

export function undoCommand(key: string): void {
  opened?.queue.undo(key)
}

function onReachable(listener: () => void): () => void {
  const stop = onServerAnswer(listener)
  window.addEventListener('online', listener)
  return () => {
    stop()
    window.removeEventListener('online', listener)
  }
}

function portFor(memberId: number, definitionOf: QueuePort['definitionOf']): QueuePort {
  const commands = commandStorage(memberId)
  return {
    storage: commands,
    definitionOf,
    cancel: (key) => call('POST /api/commands/cancel', { body: { key } }),
    takesOver: hasLocks(),
    withTabLock,
    isOffline: () => !navigator.onLine || store.get(connectionAtom).state === 'offline',
    onReachable,
    onChange: () => store.set(commandsAtom, commands.all()),
    onSignedOut(command) {
      storage.keepEnded(memberId, [command])
      recheckUser()
    },
    reportDropped({ name }, reason) {
      toast({ title: notDoneText(name), description: i18n.t(`dropped.${reason}`) })
    },
  }
}

function closeQueue(): void {
  opened?.queue.stop()
  opened = null
  store.set(commandsAtom, [])
  store.set(notDoneAtom, [])
}

function followMember(): void {
  // The atoms only signal a change; their values may lag behind the cache.
  const memberId = currentUser()?.id
  const signIn = store.get(signInAtom)
  if (opened && opened.memberId === memberId && opened.signIn === signIn) return
  if (opened) closeQueue()
  if (memberId === undefined || !definitionOf) return
  const current = { memberId, signIn, queue: openCommandQueue(portFor(memberId, definitionOf)) }
  opened = current
  void showEnded(memberId, () => opened === current && currentUser()?.id === memberId)
}

export function startCommands(load: QueuePort['definitionOf']): () => void {
  definitionOf = load
  const stops = [store.sub(memberIdAtom, followMember), store.sub(signInAtom, followMember)]
  followMember()
  return () => {
    for (const stop of stops) stop()
    definitionOf = null
    closeQueue()
  }
}

type Named = keyof Catalogues['common']['command']

const isNamed = (name: string): name is Named => i18n.exists(`command.${name}.action`)

/** What a command will do, for `Will … when you are back online`. */
export function actionText(name: string): string {
  return isNamed(name) ? i18n.t(`command.${name}.action`) : name
}

export function notDoneText(name: string): string {
  return isNamed(name) ? i18n.t(`command.${name}.notDone`) : name
}

/** The label of a busy button; `pendingLabel` until its first request has failed. */
export function progressLabel<L>(state: CommandState, pendingLabel: L): L | string {
  if (state === 'retrying' || state === 'refusing') return i18n.t('retrying')
  return state === 'waiting' || state === 'undoing' ? i18n.t('waiting') : pendingLabel
}
