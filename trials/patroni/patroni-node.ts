import path from 'node:path'
import { commandLine, findPostmaster } from '#scripts/embedded/postgres/postmaster'
import { processTree, ServerProcess, signalAll } from '#trials/kit/child'
import { type NodePlace, nodeSettings } from './settings.ts'

const REST_MS = 2_000

export class PatroniNode {
  readonly patroni: ServerProcess
  private readonly settings: string

  constructor(readonly place: NodePlace) {
    this.patroni = new ServerProcess('patroni', place.folder)
    this.settings = this.patroni.write('patroni.json', nodeSettings(place))
  }

  start(): void {
    this.patroni.launch([this.settings])
  }

  /** What Patroni answers at this path; undefined while it does not answer. */
  async ask(resource: string, init: RequestInit = {}): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(REST_MS)
    const url = `http://127.0.0.1:${this.place.restPort}${resource}`
    return fetch(url, { signal, ...init }).catch(() => undefined)
  }

  /** Sends a signal to Patroni, PostgreSQL and all their children, so that none of them can react. */
  signal(signal: NodeJS.Signals): void {
    const roots = [this.patroni.pid, this.postmaster()].filter((pid) => pid !== undefined)
    signalAll(roots.flatMap(processTree), signal)
  }

  /** Freezes the processes that send WAL to replicas, so that nothing committed later gets there. */
  stopSendingWal(): void {
    const servers = processTree(this.postmaster() ?? 0)
    const senders = servers.filter((pid) => commandLine(pid).includes('walsender'))
    if (senders.length === 0) throw new Error(`${this.place.name} sends no WAL`)
    signalAll(senders, 'SIGSTOP')
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.patroni.kill()
  }

  private postmaster(): number | undefined {
    return findPostmaster(path.join(this.place.folder, 'data'))?.pid
  }
}
