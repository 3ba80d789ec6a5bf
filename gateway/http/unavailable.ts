import { sqlState } from '#db/postgres/statements/transaction'

const CODES =
  /^(57P0[1-3]|57014|53300|08\w{3}|25006|25P03|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND)$/

/** Texts of the drivers of Postgres and Redis, and of Redis itself. */
const DRIVER_TEXTS =
  /Connection terminated|connection error and is not queryable|Connection ended|Connection is closed|server closed the connection|Command timed out|max retries per request|Timeout acquiring a connection|Stream isn't writeable|Unable to acquire a connection|timeout expired|Too many Cluster redirections|None of startup nodes is available|^(?:CLUSTERDOWN|LOADING|MASTERDOWN|READONLY|TRYAGAIN) /i

/**
 * Texts of a Citus coordinator that has lost a node, or the connection to one. Their code is XX000, that
 * of an error in the program. The outcome is unknown if the node was lost during its COMMIT, as after
 * every lost connection: the command's idempotency key decides when it is sent again.
 */
const LOST_NODE_TEXTS =
  /connection to the remote node|connection marked as essential|could not commit transaction for shard|failed to prepare transaction|failed to (?:complete )?COPY (?:to shard|on)|could not (?:connect to any active placements|find an available connection)|SSL SYSCALL error|SSL error:|SSL connection has been closed|could not (?:receive data from|send data to) server|no connection to the server/

/** Whether the database or Redis is unavailable, so that the client may retry. */
export function isUnavailable(error: unknown): boolean {
  if (CODES.test(sqlState(error) ?? '')) return true
  if (!(error instanceof Error)) return false
  return DRIVER_TEXTS.test(error.message) || LOST_NODE_TEXTS.test(error.message)
}
