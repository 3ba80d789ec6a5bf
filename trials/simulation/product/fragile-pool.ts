import type { Client } from 'pg'
import { connect } from '#db/postgres/connection/connect'
import type { Db } from '#db/postgres/statements/transaction'
import { Backends } from './backends.ts'
import { Line } from './line.ts'

/** What Knex has and its types do not name. */
type Driver<Connection> = {
  pool: { on(event: 'createSuccess', listener: (id: number, opened: Connection) => void): void }
  acquireRawConnection(): Promise<Connection>
  destroyRawConnection(connection: Connection): Promise<void>
}

/** How many copies of some work run at a time, and the statement after which their process dies. */
export type Conditions = { copies?: number; cutAfter?: number }

/** How work ended: `isCut` means that its process died; `values` are those of the copies that ended. */
export type Ending<T> = { isCut: boolean; values: T[] }

/** The database connections of a gateway or worker that dies at a given statement. */
export class FragilePool {
  readonly db: Db
  private readonly backends: Backends
  private readonly lines = new Set<Line>()
  /** Rollbacks of the dead process. */
  private rollbacks: Promise<void>[] = []
  private left = Number.POSITIVE_INFINITY

  /** @param observer sees when Postgres has ended what the dead process left */
  constructor(url: string, observer: Db) {
    // Two, because a request that is delivered twice may run twice at a time.
    // The guard against replicas would ask each new line whether its server accepts writes.
    this.db = connect(url, { max: 2, name: 'fragile', mayBeReplica: true })
    const opening: Driver<Client> = this.db.client
    this.backends = new Backends(opening.acquireRawConnection.bind(opening), observer)
    const driver: Driver<Line> = this.db.client
    driver.acquireRawConnection = () => this.openLine()
    driver.destroyRawConnection = async (line) => this.discard(line)
    driver.pool.on('createSuccess', (_id, line) => {
      this.lines.add(line)
      line.onAnswer = () => this.answered()
      // The process may have died on its other line since this one was opened.
      if (this.isDead) this.cut(line)
    })
  }

  /**
   * Runs copies of some work in one process, whose connections are cut right after Postgres has answered
   * so many statements; `begin` and `commit` are statements. Shorter work is not cut. Every copy has
   * ended when this returns, so that none goes on in the next process.
   */
  async run<T>(
    { copies = 1, cutAfter = Number.POSITIVE_INFINITY }: Conditions,
    work: (db: Db) => Promise<T>,
  ): Promise<Ending<T>> {
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

  private async openLine(): Promise<Line> {
    const line = new Line(await this.backends.take())
    if (!this.isDead) return line
    this.backends.giveBack(line)
    throw new Error('a dead process opens no connection')
  }

  private get isDead(): boolean {
    return this.left <= 0
  }

  private answered(): void {
    this.left -= 1
    if (this.left === 0) for (const line of this.lines) this.cut(line)
  }

  private cut(line: Line): void {
    this.lines.delete(line)
    this.rollbacks.push(this.backends.cut(line))
  }

  private discard(line: Line): void {
    this.lines.delete(line)
    this.backends.giveBack(line)
  }
}
