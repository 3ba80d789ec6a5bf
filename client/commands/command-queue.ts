import { interruptibleSleep } from '#client/data/interruptible-sleep.ts'
import { attemptCommand, errorOfRejection, newIdempotencyKey, retryPauses } from './attempt.ts'
import {
  type CommandEvent,
  type DropReason,
  isCancelling,
  isFinal,
  nextState,
  type StoredCommand,
} from './command-state.ts'
import type { CommandDefinition, Outcome } from './command-type.ts'
import type { CommandStorage } from './stored-command.ts'
import type { withTabLock } from './tab-lock.ts'

export type QueuePort = {
  storage: CommandStorage
  /** For a command that this page did not issue. */
  definitionOf(name: string): Promise<CommandDefinition | undefined>
  /** Spends the key of a command (POST /api/commands/cancel). */
  cancel(key: string): Promise<{ cancelled: boolean; answer: unknown }>
  /** Whether `withTabLock` keeps tabs apart, so that a tab may follow the commands of another. */
  takesOver: boolean
  withTabLock: typeof withTabLock
  /** Whether a request certainly gets no answer now. */
  isOffline(): boolean
  onReachable(listener: () => void): () => void
  onChange(): void
  onSignedOut(command: StoredCommand): void
  reportDropped<I>(definition: CommandDefinition<I>, reason: DropReason, input: I): void
}

export type CommandQueue = {
  /** Ignored while one with its mutex key is unfinished. Resolves with the outcome, or when it begins to wait. */
  issue<I, A>(definition: CommandDefinition<I, A>, input: I): Promise<Outcome<A>>
  /** Cancels a command; its outcome is reported once the server has confirmed it. */
  undo(key: string): void
  /** Nothing more is sent, and late answers are ignored. */
  stop(): void
}

/** Real ms within which a tab that issues a command asks for its lock. */
const FOLLOW_MS = 1_000

type Issuer = { definition: CommandDefinition; settle(outcome: Outcome<unknown>): void }

/** Continues the commands of earlier page loads and closed tabs. */
export function openCommandQueue(port: QueuePort): CommandQueue {
  const { storage } = port
  const { sleep, wake } = interruptibleSleep()
  const issuers = new Map<string, Issuer>()
  const running = new Set<string>()
  let stopped = false
  let following: ReturnType<typeof setTimeout> | undefined

  const current = (key: string) => (stopped ? undefined : storage.get(key))

  /** The command after an event; undefined if it is gone or another page knows its outcome. */
  function apply(
    key: string,
    event: CommandEvent,
    more: Partial<StoredCommand> = {},
  ): StoredCommand | undefined {
    const stored = current(key)
    if (!stored || isFinal(stored.state)) return undefined
    const state = nextState(stored.state, event)
    if (state === stored.state) return stored
    const late = stored.late || state === 'waiting'
    const next = { ...stored, late, ...more, state }
    storage.put(next)
    port.onChange()
    if (state === 'waiting') issuers.get(key)?.settle({ state })
    return next
  }

  function remove(key: string): void {
    storage.remove(key)
    port.onChange()
  }

  async function run(key: string, definition: CommandDefinition, isNew: boolean): Promise<void> {
    const retries = retryPauses()
    // An earlier page may have sent it.
    if (!isNew) retries.exhaust()
    let command = isNew ? current(key) : apply(key, 'lost', { late: true })
    while (command && !isFinal(command.state)) {
      const mayBeOutdated = retries.isUsedUp()
      const { cancel } = port
      const isCurrent = () => current(key) !== undefined
      const request = { command, definition, mayBeOutdated, isCurrent, cancel }
      const attempt = await attemptCommand(request)
      // A pause would keep the command's lock.
      if (stopped) return
      if (attempt.event === 'signed out') port.onSignedOut(command)
      command = apply(key, attempt.event, attempt.more)
      if (command && isFinal(command.state)) return report(command, definition, attempt)
      if (attempt.event !== 'lost') continue
      if (port.isOffline()) retries.exhaust()
      if (retries.isUsedUp()) apply(key, 'given up')
      await sleep(retries.next(attempt.error))
      command = current(key)
    }
    // Another page has reported it.
    if (!stopped) remove(key)
  }

  async function report(
    command: StoredCommand,
    definition: CommandDefinition,
    { answer, error }: { answer?: unknown; error?: unknown },
  ): Promise<void> {
    const { key, state, input, late, reason, rejection } = command
    const issued = { input, late }
    const issuer = issuers.get(key)
    try {
      if (state === 'done') {
        issuer?.settle({ state, answer })
        await definition.onDone(answer, issued)
      } else if (state === 'refused') {
        const refusal = error ?? errorOfRejection(rejection)
        issuer?.settle({ state, error: refusal })
        await definition.onRefused(refusal, issued)
      } else if (reason) {
        port.reportDropped(definition, reason, input)
      }
    } finally {
      remove(key)
    }
  }

  function start(command: StoredCommand, isNew: boolean): void {
    const { key, name, input } = command
    if (running.has(key)) return
    running.add(key)
    const definition = async () => issuers.get(key)?.definition ?? (await port.definitionOf(name))
    const runInTurn = async () => {
      const found = await definition()
      if (stopped) return
      // Issued by a client of another version, which had more commands.
      if (!found) remove(key)
      else await run(key, found, isNew)
    }
    // Only the page that has its input can send it, any page can cancel it.
    const mayShare = async () => {
      const found = await definition()
      const state = current(key)?.state
      return state && found && (isCancelling(state) || found.hasInput?.(input) !== false)
    }
    void port
      .withTabLock(`command:${key}`, runInTurn, mayShare)
      .catch((error) => console.warn('command not carried out yet', error))
      .finally(() => {
        running.delete(key)
        issuers.get(key)?.settle({ state: 'dropped' })
        issuers.delete(key)
      })
  }

  const startAll = () => {
    for (const command of storage.all()) start(command, false)
  }

  function followTab(): void {
    port.onChange()
    // The other tab may have undone a command that waits here.
    wake()
    // Its commands continue here when it ends. They can be seen here before it has asked for their locks.
    if (port.takesOver) {
      clearTimeout(following)
      following = setTimeout(startAll, FOLLOW_MS)
    }
  }

  const goOn = () => {
    wake()
    // Commands whose code could not be loaded are stored and not running.
    if (port.takesOver) startAll()
  }

  const stops = [port.onReachable(goOn), storage.onOtherTab(followTab)]
  port.onChange()
  startAll()

  return {
    issue(definition, input) {
      const mutexKey = definition.mutexKey(input)
      if (stopped || storage.all().some((one) => one.mutexKey === mutexKey)) {
        return Promise.resolve({ state: 'ignored' })
      }
      return new Promise((resolve) => {
        const command = newCommand(definition, input)
        const settle = resolve as Issuer['settle']
        issuers.set(command.key, { definition, settle })
        storage.put(command)
        port.onChange()
        start(command, true)
      })
    },
    undo(key) {
      apply(key, 'undone', { reason: 'undone', late: true })
      wake()
    },
    stop() {
      stopped = true
      clearTimeout(following)
      for (const stop of stops) stop()
      wake()
      for (const { settle } of issuers.values()) settle({ state: 'dropped' })
    },
  }
}

function newCommand<I>(definition: CommandDefinition<I>, input: I): StoredCommand {
  return {
    key: newIdempotencyKey(),
    name: definition.name,
    mutexKey: definition.mutexKey(input),
    input,
    basis: definition.basis?.() ?? null,
    issuedAt: Date.now(),
    state: 'pending',
    late: false,
    reason: null,
    rejection: null,
  }
}
