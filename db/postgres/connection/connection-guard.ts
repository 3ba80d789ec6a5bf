import type { Socket } from 'node:net'
import type { Client, DatabaseError } from 'pg'

/** SQLSTATE `read_only_sql_transaction`. */
const READ_ONLY = '25006'

type GuardOptions = {
  /** Whether the server may be one that accepts no writes. */
  mayBeReplica: boolean
  /**
   * Longest silence of the server, ms; 0 for no limit. Longer than a statement with a limit may take. A
   * connection that is unused for that time is closed as well.
   */
  silenceMs: number
}

/** Connections whose transaction has lifted the limit of silence. */
const patient = new WeakSet<Client>()

// Also a TLS socket has `setTimeout`; the type of the driver is a plain stream.
const streamOf = (connection: Client) => connection.connection.stream as Socket

/** Lifts the limit of silence until the pool gives the connection to the next user. */
export function waitInSilence(connection: Client): void {
  patient.add(connection)
  streamOf(connection).setTimeout(0)
}

const READ_ONLY_SQL = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * Hooks of Knex' pool. They evict connections that still point to a demoted or frozen primary.
 *
 * - A connection to a server without writes fails when it is opened, so the next one may reach the
 *   new primary.
 * - A connection whose server answers `read_only_sql_transaction` was opened to a primary that was
 *   demoted since; it is closed when it is returned.
 * - A server that is silent for longer than any statement may take is frozen or cut off. Neither
 *   closes the connection, so it is closed here and its statements fail.
 */
export function connectionGuard({ mayBeReplica, silenceMs }: GuardOptions) {
  const demoted = new WeakSet<Client>()

  async function assertWrites(connection: Client): Promise<void> {
    const { rows } = await connection.query(READ_ONLY_SQL)
    if (!rows[0].isReadOnly) return
    const message = 'Postgres accepts no writes: it is a replica or not promoted yet'
    // The code makes it a 503.
    throw Object.assign(new Error(message), { code: READ_ONLY })
  }

  return {
    afterCreate(connection: Client, done: (error?: unknown) => void) {
      const stream = streamOf(connection)
      stream.setTimeout(silenceMs, () => {
        const message = `Postgres did not answer for ${silenceMs / 1000} s`
        stream.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
      })
      if (mayBeReplica) return done()
      connection.connection.on('errorMessage', ({ code }: DatabaseError) => {
        if (code === READ_ONLY) demoted.add(connection)
      })
      assertWrites(connection).then(
        () => done(),
        (error) => {
          // Knex drops a connection whose hook fails, without closing it.
          connection.end().catch(() => {})
          done(error)
        },
      )
    },
    validate(connection: Client): boolean {
      if (patient.delete(connection)) streamOf(connection).setTimeout(silenceMs)
      return !demoted.has(connection)
    },
  }
}
