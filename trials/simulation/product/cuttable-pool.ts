import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { connect } from '#db/engine/connect'
import type { Db } from '#db/postgres/statements/transaction'
import { SimulatedConnection } from './simulated-connection.ts'

/** Every twentieth cut also ends the backend, so which one does depends on the seed alone. */
const ENDED_EVERY = 20

type Opened = Client & { processID: number; connection: { stream: { destroy(): void } } }

/**
 * Opening a backend costs many times the CPU time of a command: it reads the catalogue and plans every statement. So
 * most cuts roll back and keep it, which does the same to the data as its end.
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

  /** Cuts a connection; returns when Postgres has rolled back what was under way on it. */
  async cut(connection: SimulatedConnection): Promise<void> {
    this.cuts += 1
    const { backend } = connection
    if (this.cuts % ENDED_EVERY === 0) {
      connection.cut()
      await this.end(backend as Opened)
      return
    }
    await connection.cut()
    await backend.query('rollback')
    this.spare.push(backend)
  }

  /** Takes the backend of a connection that its pool closes; a connection that was cut has none. */
  giveBack({ backend, isCut }: SimulatedConnection): void {
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

/** What Knex has and its types do not name. */
type Driver<Connection> = {
  pool: { on(event: 'createSuccess', listener: (id: number, opened: Connection) => void): void }
  acquireRawConnection(): Promise<Connection>
  destroyRawConnection(connection: Connection): Promise<void>
}

/** The process dies after the statement `cutAfter`. */
type Conditions = { copies?: number; cutAfter?: number }

/** The database connections of a gateway or worker that dies at a given statement. */
export class CuttablePool {
  readonly db: Db
  private readonly backends: Backends
  private readonly connections = new Set<SimulatedConnection>()
  private rollbacks: Promise<void>[] = []
  private left = Number.POSITIVE_INFINITY

  /** @param observer sees when Postgres has ended what the dead process left */
  constructor(url: string, observer: Db) {
    // Two, because a request that is delivered twice may run twice at a time.
    // The guard against replicas would ask each new connection whether its server accepts writes.
    this.db = connect(url, { max: 2, name: 'cuttable', mayBeReplica: true })
    const opening: Driver<Client> = this.db.client
    this.backends = new Backends(opening.acquireRawConnection.bind(opening), observer)
    const driver: Driver<SimulatedConnection> = this.db.client
    driver.acquireRawConnection = () => this.openConnection()
    driver.destroyRawConnection = async (connection) => this.discard(connection)
    driver.pool.on('createSuccess', (_id, connection) => {
      this.connections.add(connection)
      connection.onAnswer = () => this.answered()
      // The process may have died on its other connection since this one was opened.
      if (this.isDead) this.cut(connection)
    })
  }

  /**
   * Cuts the process's connections right after Postgres has answered so many statements, `begin` and `commit` among
   * them; shorter work is not cut. Every copy has ended when this returns, so that none goes on in the next process.
   * @returns `isCut`: the process died; `values` are those of the copies that ended
   */
  async run<T>(
    { copies = 1, cutAfter = Number.POSITIVE_INFINITY }: Conditions,
    work: (db: Db) => Promise<T>,
  ): Promise<{ isCut: boolean; values: T[] }> {
    this.left = cutAfter
    const ended = await Promise.allSettled(Array.from({ length: copies }, () => work(this.db)))
    const isCut = this.isDead
    // Until then the locks of the dead process stay.
    await Promise.all(this.rollbacks.splice(0))
    this.left = Number.POSITIVE_INFINITY
    const failed = ended.find((each) => each.status === 'rejected')
    if (failed && !isCut) throw failed.reason
    return { isCut, values: ended.flatMap((each) => ('value' in each ? [each.value] : [])) }
  }

  async close(): Promise<void> {
    await this.db.destroy()
    await this.backends.close()
  }

  private async openConnection(): Promise<SimulatedConnection> {
    const connection = new SimulatedConnection(await this.backends.take())
    if (!this.isDead) return connection
    this.backends.giveBack(connection)
    throw new Error('a dead process opens no connection')
  }

  private get isDead(): boolean {
    return this.left <= 0
  }

  private answered(): void {
    this.left -= 1
    if (this.left === 0) for (const connection of this.connections) this.cut(connection)
  }

  private cut(connection: SimulatedConnection): void {
    this.connections.delete(connection)
    this.rollbacks.push(this.backends.cut(connection))
  }

  private discard(connection: SimulatedConnection): void {
    this.connections.delete(connection)
    this.backends.giveBack(connection)
  }
}
