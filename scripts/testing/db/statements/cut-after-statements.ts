import type { Client } from 'pg'
import { expect } from 'vitest'
import { connect } from '#db/engine/connect'
import { withClient } from '#db/postgres/connection/pool'
import type { Db } from '#db/postgres/statements/transaction'

const NAME = 'cut-worker'

type Cut = {
  /** The work of a worker that dies; it is run again until a whole run survives. */
  work(db: Db): Promise<unknown>
  /** Runs after each death, and after the run that survived. */
  check(): Promise<void>
  /** Statements by which the next run survives longer; 1 by default. */
  step?: number
}

/** The pool of Knex, whose type it does not export. */
type Pool = { on(event: 'createSuccess', listener: (id: number, client: Client) => void): void }
type WithStream = { connection: { stream: { destroy(): void } } }

const backends = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      'select count(*)::integer as count from pg_stat_activity where application_name = $1',
      [NAME],
    )
    return rows[0].count
  })

/**
 * Runs work on connections that end right after the answer of one statement, then of two, and so on.
 * The client cuts them at exactly that statement, so short work cannot outrun it.
 * @returns how often the work was cut
 */
export async function cutAfterStatements(
  url: string,
  { work, check, step = 1 }: Cut,
): Promise<number> {
  let cuts = 0
  for (let survived = 1; ; survived += step) {
    const db = connect(url, { max: 1, name: NAME })
    const opened: Client[] = []
    let left = survived
    const cutAll = () => {
      for (const client of opened) (client as unknown as WithStream).connection.stream.destroy()
    }
    const pool: Pool = db.client.pool
    pool.on('createSuccess', (_id, client) => {
      opened.push(client)
      // Knex opens another connection for a lost one: every one of this run ends.
      if (left <= 0) cutAll()
    })
    db.on('query-response', () => {
      left -= 1
      if (left > 0) return
      if (left === 0) cuts += 1
      cutAll()
    })
    await work(db).catch(() => {})
    await db.destroy()
    // Postgres notices a lost client when the statement ends; until then locks and snapshot stay.
    await expect.poll(() => backends(url)).toBe(0)
    await check()
    if (left > 0) return cuts
  }
}
