import type { Client } from 'pg'
import { connect } from '#db/postgres/connect'
import type { Db } from '#db/postgres/transaction'

export type Cut = {
  /** The work of a worker that dies; it is run again until a whole run survives. */
  work(db: Db): Promise<unknown>
  /** Runs after each death, and after the run that survived. */
  check(): Promise<void>
}

/** The pool of Knex, whose type it does not export. */
type Pool = { on(event: 'createSuccess', listener: (id: number, client: Client) => void): void }
type WithStream = { connection: { stream: { destroy(): void } } }

/**
 * Runs work on a connection that ends right after the answer of one statement, then of two, and so on.
 * Unlike `killAfterStatements` it cuts at exactly that statement, so short work cannot outrun it.
 * @returns how often the connection was cut
 */
export async function cutAfterStatements(url: string, { work, check }: Cut): Promise<number> {
  let cuts = 0
  for (let survived = 1; ; survived++) {
    const db = connect(url, { max: 1, name: 'cut-worker' })
    let left = survived
    const pool: Pool = db.client.pool
    // Knex would open another connection: every one of this run ends.
    pool.on('createSuccess', (_id, client) => {
      if (left <= 0) (client as unknown as WithStream).connection.stream.destroy()
      db.on('query-response', () => {
        left -= 1
        if (left > 0) return
        if (left === 0) cuts += 1
        ;(client as unknown as WithStream).connection.stream.destroy()
      })
    })
    await work(db).catch(() => {})
    await db.destroy()
    await check()
    if (left > 0) return cuts
  }
}
