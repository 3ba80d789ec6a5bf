import { type CommandQueue, openCommandQueue } from '#client/commands/command-queue.ts'
import type { StoredCommand } from '#client/commands/command-state.ts'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import type { CommandStorage } from '#client/commands/stored-command.ts'
import { withTabLock } from '#client/commands/tab-lock.ts'
import { errorOf } from '#client/data/api.ts'
import { type ModelCommand, type ModelServer, refusal } from './model-server.ts'

/**
 * What the network does with a request. `deaf`: the server executes it and the answer is lost;
 * `late`: it is lost for the client and reaches the server when `deliverLate` is called; `busy`: a
 * proxy answers 503; `astray`: a proxy answers 404 with its own page.
 */
export const NETWORKS = ['up', 'down', 'deaf', 'late', 'busy', 'astray'] as const
export type Network = (typeof NETWORKS)[number]

const latency = () => new Promise<void>((resolve) => setTimeout(resolve, 20))

export type Report = { id: number; outcome: 'done' | 'refused' | 'dropped' }

type Tab = {
  queue: CommandQueue
  onReachable: Set<() => void>
  onOtherTab: Set<() => void>
  /** Ids of the commands whose input only this tab has. */
  inputs: Set<number>
  /** What goes on when the system no longer suspends the tab; null while it does not. */
  suspended: (() => void)[] | null
}

/** A browser with its storage, locks and tabs. */
export class ModelDevice {
  network: Network = 'up'
  readonly tabs = new Set<Tab>()
  private readonly stored = new Map<string, string>()
  private readonly late: (() => void)[] = []
  private readonly lockQueues = new Map<string, { tab: Tab; run: () => Promise<void> }[]>()

  constructor(
    private readonly server: ModelServer,
    private readonly reports: Report[],
    private readonly hasLocks = true,
  ) {}

  commands(): StoredCommand[] {
    return [...this.stored.values()].map((text) => JSON.parse(text))
  }

  openTab(): Tab {
    const tab: Tab = {
      ...{ queue: null as never, onReachable: new Set(), onOtherTab: new Set() },
      ...{ inputs: new Set(), suspended: null },
    }
    this.tabs.add(tab)
    tab.queue = openCommandQueue({
      storage: this.storageOf(tab),
      definitionOf: async (name) => this.definitionOf(tab, name as ModelCommand),
      cancel: (key) => this.request(tab, () => this.server.cancel(key)),
      takesOver: this.hasLocks,
      withTabLock: (name, run, mayShare) =>
        this.hasLocks ? withTabLock(name, run, mayShare, this.locksOf(tab)) : run(),
      isOffline: () => this.network === 'down',
      onReachable: (listener) => subscribe(tab.onReachable, listener),
      onChange() {},
      onSignedOut() {},
      reportDropped: (_, __, input) =>
        void this.reports.push({ id: (input as { id: number }).id, outcome: 'dropped' }),
    })
    return tab
  }

  /** The page is gone at once; its requests are not taken back. */
  closeTab(tab: Tab): void {
    tab.queue.stop()
    this.tabs.delete(tab)
    for (const [name, waiting] of this.lockQueues) {
      const held = waiting[0]
      const left = waiting.filter((one) => one.tab !== tab)
      this.lockQueues.set(name, left)
      if (held?.tab === tab) this.grant(name)
    }
  }

  issue(tab: Tab, command: ModelCommand, id: number): void {
    tab.inputs.add(id)
    void tab.queue.issue(this.definitionOf(tab, command), { id })
  }

  /** The system stops the page: it keeps its locks, and what it waits for reaches it later. */
  suspend(tab: Tab): void {
    tab.suspended ??= []
  }

  resume(tab: Tab): void {
    const held = tab.suspended ?? []
    tab.suspended = null
    for (const goOn of held) goOn()
    for (const one of [...tab.onOtherTab, ...tab.onReachable]) one()
  }

  setNetwork(network: Network): void {
    this.network = network
    if (network !== 'up') return
    for (const { onReachable, suspended } of this.tabs) {
      if (!suspended) for (const one of onReachable) one()
    }
  }

  /** Requests that the network held back arrive. */
  deliverLate(): void {
    for (const deliver of this.late.splice(0)) {
      try {
        deliver()
      } catch {
        // The client has given the request up.
      }
    }
  }

  private definitionOf(tab: Tab, name: ModelCommand): CommandDefinition<{ id: number }> {
    const isMining = name === 'start' || name === 'stop'
    return {
      name,
      mutexKey: () => (isMining || name === 'claim' ? 'mining' : name),
      ...(isMining && {
        basis: () => this.server.basis(),
        readBasis: () => this.request(tab, () => this.server.basis()),
      }),
      ...(name === 'upload' && { hasInput: ({ id }) => tab.inputs.has(id) }),
      send: ({ id }, key) => this.request(tab, () => this.server.execute(name, id, key)),
      onDone: (_, { input: { id } }) => this.report({ id, outcome: 'done' }),
      onRefused: (_, { input: { id } }) => this.report({ id, outcome: 'refused' }),
    }
  }

  /** A report ends once the screens have read what the command changed. */
  private async report(report: Report): Promise<void> {
    this.reports.push(report)
    await latency()
  }

  private async request<T>(tab: Tab, run: () => T): Promise<T> {
    await whileSuspended(tab)
    try {
      return await this.overNetwork(run)
    } finally {
      await whileSuspended(tab)
    }
  }

  private async overNetwork<T>(run: () => T): Promise<T> {
    const { network } = this
    await latency()
    if (network === 'up') return run()
    if (network === 'busy') throw refusal(503, 'unavailable')
    if (network === 'astray') throw errorOf({ status: 404, statusText: '' }, '<h1>Not Found</h1>')
    if (network === 'late') this.late.push(run)
    if (network === 'deaf') {
      try {
        run()
      } catch {
        // The answer is lost, whatever it is.
      }
    }
    throw new TypeError('Failed to fetch')
  }

  private storageOf(tab: Tab): CommandStorage {
    const notify = () => {
      for (const other of this.tabs) {
        if (other !== tab && !other.suspended)
          for (const listener of other.onOtherTab) setTimeout(listener, 0)
      }
    }
    return {
      all: () => this.commands().sort((a, b) => a.issuedAt - b.issuedAt),
      get: (key) => {
        const text = this.stored.get(key)
        return text === undefined ? undefined : JSON.parse(text)
      },
      put: (command) => {
        this.stored.set(command.key, JSON.stringify(command))
        notify()
      },
      remove: (key) => {
        this.stored.delete(key)
        notify()
      },
      onOtherTab: (listener) => subscribe(tab.onOtherTab, listener),
    }
  }

  /** Web Locks: the first of a queue holds the lock until it ends or its tab is closed. */
  private locksOf(tab: Tab): LockManager {
    const request = (name: string, run: () => Promise<void>) =>
      new Promise<void>((resolve) => {
        const waiting = this.lockQueues.get(name) ?? []
        this.lockQueues.set(name, waiting)
        const entry = {
          tab,
          run: async () => {
            await whileSuspended(tab)
            await run()
            resolve()
            const now = this.lockQueues.get(name) ?? []
            if (now[0] !== entry) return
            now.shift()
            this.grant(name)
          },
        }
        waiting.push(entry)
        if (waiting.length === 1) this.grant(name)
      })
    return { request } as unknown as LockManager
  }

  private grant(name: string): void {
    const [first] = this.lockQueues.get(name) ?? []
    if (first) setTimeout(() => void first.run(), 0)
  }
}

/** Resolves once the system runs the page. */
async function whileSuspended({ suspended }: Tab): Promise<void> {
  if (suspended) await new Promise<void>((resolve) => suspended.push(resolve))
}

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
