import { type CommandQueue, openCommandQueue } from '#client/commands/command-queue.ts'
import type { StoredCommand } from '#client/commands/command-state.ts'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import type { CommandStorage } from '#client/commands/stored-command.ts'
import { errorOf } from '#client/data/api.ts'
import { type ModelCommand, type ModelServer, refusal } from './model-server.ts'

/**
 * What the network does with a request. `deaf`: the server executes it and the answer is lost;
 * `late`: it is lost for the client and reaches the server when `deliverLate` is called; `busy`: a
 * proxy answers 503; `astray`: a proxy answers 404 with its own page.
 */
export const NETWORKS = ['up', 'down', 'deaf', 'late', 'busy', 'astray'] as const
export type Network = (typeof NETWORKS)[number]

const LATENCY_MS = 20

export type Report = { id: number; outcome: 'done' | 'refused' | 'dropped' }

type Tab = { queue: CommandQueue; onReachable: Set<() => void>; onOtherTab: Set<() => void> }

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
    const tab: Tab = { queue: null as never, onReachable: new Set(), onOtherTab: new Set() }
    this.tabs.add(tab)
    tab.queue = openCommandQueue({
      storage: this.storageOf(tab),
      definitionOf: async (name) => this.definitionOf(name as ModelCommand),
      cancel: (key) => this.request(() => this.server.cancel(key)),
      takesOver: this.hasLocks,
      withTabLock: (name, run) => (this.hasLocks ? this.withTabLock(tab, name, run) : run()),
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

  setNetwork(network: Network): void {
    this.network = network
    if (network === 'up')
      for (const { onReachable } of this.tabs) for (const one of onReachable) one()
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

  definitionOf(name: ModelCommand): CommandDefinition<{ id: number }> {
    const isMining = name === 'start' || name === 'stop'
    return {
      name,
      mutexKey: () => (isMining || name === 'claim' ? 'mining' : name),
      ...(isMining && {
        basis: () => this.server.basis(),
        readBasis: () => this.request(() => this.server.basis()),
      }),
      send: ({ id }, key) => this.request(() => this.server.execute(name, id, key)),
      onDone: (_, { input: { id } }) => void this.reports.push({ id, outcome: 'done' }),
      onRefused: (_, { input: { id } }) => void this.reports.push({ id, outcome: 'refused' }),
    }
  }

  private async request<T>(run: () => T): Promise<T> {
    const { network } = this
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
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
        if (other !== tab) for (const listener of other.onOtherTab) setTimeout(listener, 0)
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
  private withTabLock(tab: Tab, name: string, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.lockQueues.get(name) ?? []
      this.lockQueues.set(name, waiting)
      const entry = {
        tab,
        run: async () => {
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
  }

  private grant(name: string): void {
    const [first] = this.lockQueues.get(name) ?? []
    if (first) setTimeout(() => void first.run(), 0)
  }
}

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
