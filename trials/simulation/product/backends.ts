import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Db } from '#db/postgres/statements/transaction'
import type { Line } from './line.ts'

/** Every twentieth cut also ends the backend, so which one does depends on the seed alone. */
const ENDED_EVERY = 20

type Opened = Client & { processID: number; connection: { stream: { destroy(): void } } }

/**
 * The connections to Postgres behind the lines of a process. Opening one costs many times the CPU
 * time of a command, because a new backend reads the catalogue and plans every statement again. Most
 * cuts roll back and keep it, which does the same to the data as the end of the backend.
 */
export class Backends {
  private readonly spare: Client[] = []
  private cuts = 0

  constructor(
    private readonly open: () => Promise<Client>,
    /** Sees when Postgres has ended a backend. */
    private readonly observer: Db,
  ) {}

  async take(): Promise<Client> {
    const spare = this.spare.pop()
    if (spare) return spare
    const backend = await this.open()
    await backend.query('set plan_cache_mode = force_generic_plan')
    return backend
  }

  /** Cuts a line; returns when Postgres has rolled back what was under way on it. */
  async cut(line: Line): Promise<void> {
    this.cuts += 1
    const { backend } = line
    if (this.cuts % ENDED_EVERY === 0) {
      line.cut()
      await this.end(backend as Opened)
      return
    }
    await line.cut()
    await backend.query('rollback')
    this.spare.push(backend)
  }

  /** Takes the backend of a line that its pool closes; a line that was cut has none. */
  giveBack({ backend, isCut }: Line): void {
    if (!isCut) this.spare.push(backend)
  }

  async close(): Promise<void> {
    await Promise.all(this.spare.splice(0).map((backend) => backend.end()))
  }

  /** Postgres notices a lost client when the statement ends. */
  private async end({ connection, processID }: Opened): Promise<void> {
    connection.stream.destroy()
    // One process only: the view of all joins the catalogue.
    const sql = 'select from pg_stat_get_activity(?)'
    for (;;) {
      const { rows } = await this.observer.raw(sql, [processID])
      if (rows.length === 0) return
      await sleep(1)
    }
  }
}
