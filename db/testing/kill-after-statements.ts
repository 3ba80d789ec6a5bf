import { expect } from 'vitest'
import { withClient } from '#db/postgres/admin'
import { connect } from '#db/postgres/connect'
import type { Db } from '#db/postgres/transaction'

const NAME = 'killed-worker'

export type Killed = {
  /** The work of a worker that dies; it is run again until a whole run survives. */
  work(db: Db): Promise<unknown>
  /** Runs after each death, and after the run that survived. */
  check(): Promise<void>
  /** Statements by which the next run survives longer; 1 by default. */
  step?: number
  /** Connections of the worker, which all die; 1 by default. */
  connections?: number
}

const backends = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      'select count(*)::integer as count from pg_stat_activity where application_name = $1',
      [NAME],
    )
    return rows[0].count
  })

/**
 * Runs work on a connection that Postgres ends after one statement, then after more and more.
 * @returns how often the connection was ended
 */
export async function killAfterStatements(
  url: string,
  { work, check, step = 1, connections = 1 }: Killed,
): Promise<number> {
  let kills = 0
  for (let survived = 1; ; survived += step) {
    const db = connect(url, { max: connections, name: NAME })
    let left = survived
    db.on('query-response', () => {
      left -= 1
      if (left > 0) return
      db.removeAllListeners('query-response')
      kills += 1
      void withClient(url, (client) =>
        client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
          [NAME],
        ),
      )
    })
    const hasEnded = await work(db).then(
      () => true,
      () => false,
    )
    await db.destroy()
    // A killed backend holds its locks and its snapshot for a moment.
    await expect.poll(() => backends(url)).toBe(0)
    await check()
    if (hasEnded && left > 0) return kills
  }
}
