import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { connect } from '#db/postgres/connection/connect'
import type { Db } from '#db/postgres/statements/transaction'

/** The pool of Knex, whose type it does not export. */
type Pool = { on(event: 'createSuccess', listener: (id: number, client: Opened) => void): void }
/** What Node's driver has and its types do not name. */
type Opened = Client & {
  processID: number
  connection: {
    stream: { destroy(): void }
    on(event: 'readyForQuery', listener: () => void): void
  }
}

/** How work ended: `isCut` means that its process died, so nobody got the value. */
export type Ending<T> = { isCut: boolean; value?: T }

/** The database connections of a gateway or worker that dies at a given statement. */
export class FragilePool {
  readonly db: Db
  private readonly opened = new Set<Opened>()
  /** Server processes of the cut connections. */
  private cutPids: number[] = []
  private left = Number.POSITIVE_INFINITY

  /** @param observer sees when Postgres has ended what the dead process left */
  constructor(
    url: string,
    private readonly observer: Db,
  ) {
    // Two, because a request that is delivered twice may run twice at a time.
    this.db = connect(url, { max: 2, name: 'fragile' })
    const pool: Pool = this.db.client.pool
    pool.on('createSuccess', (_id, client) => {
      this.opened.add(client)
      client.once('end', () => this.opened.delete(client))
      client.connection.on('readyForQuery', () => this.answered())
      // A dead process opens no connection.
      if (this.left <= 0) this.cut()
    })
  }

  /**
   * Runs work whose connections are cut right after Postgres has answered so many statements; `begin`
   * and `commit` are statements. Shorter work is not cut.
   */
  async cutAfter<T>(statements: number, work: (db: Db) => Promise<T>): Promise<Ending<T>> {
    this.left = statements
    try {
      const value = await work(this.db)
      return { isCut: this.isDead, value }
    } catch (error) {
      if (!this.isDead) throw error
      return { isCut: true }
    } finally {
      const { isDead } = this
      this.left = Number.POSITIVE_INFINITY
      if (isDead) await this.untilRolledBack()
    }
  }

  close(): Promise<void> {
    return this.db.destroy()
  }

  private get isDead(): boolean {
    return this.left <= 0
  }

  private answered(): void {
    this.left -= 1
    if (this.left === 0) this.cut()
  }

  private cut(): void {
    for (const { connection, processID } of this.opened) {
      connection.stream.destroy()
      this.cutPids.push(processID)
    }
  }

  /** Until Postgres has noticed, the locks of the dead process stay. */
  private async untilRolledBack(): Promise<void> {
    const pids = this.cutPids.splice(0)
    const sql = 'select count(*) as count from pg_stat_activity where pid = any(?)'
    for (;;) {
      const { rows } = await this.observer.raw(sql, [pids])
      if (rows[0].count === 0) return
      await sleep(1)
    }
  }
}
