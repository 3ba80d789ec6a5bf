import type { Socket } from 'node:net'
import type { Client, DatabaseError } from 'pg'

/** SQLSTATE `read_only_sql_transaction`. */
const READ_ONLY = '25006'

type GuardOptions = {
  mayBeReplica: boolean
  /** Longest silence of the server, ms, above the limit of statements; closes unused connections too. 0: no limit. */
  silenceMs: number
}

/** Connections whose transaction has lifted the limit of silence. */
const patient = new WeakSet<Client>()

// The driver types it as a plain stream; a TLS socket has `setTimeout` too.
const streamOf = (connection: Client) => connection.connection.stream as Socket

/** Lifts the limit of silence until the pool gives the connection to the next user. */
export function waitInSilence(connection: Client): void {
  patient.add(connection)
  streamOf(connection).setTimeout(0)
}

const READ_ONLY_SQL = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * Hooks of Knex' pool that evict connections to a demoted or frozen primary:
 * - A connection to a server without writes fails when it is opened, so the next one may reach the new primary.
 * - If its server answers `read_only_sql_transaction`, it was demoted since: closed when it is returned.
 * - If its server is silent for longer than any statement may take, it is frozen or cut off: closed, statements fail.
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
