import createKnex, { type Knex } from 'knex'
import pg from 'pg'

// bigint columns hold ids and counts, all far below 2^53; money is numeric and stays text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type ConnectOptions = {
  /** Most connections of this pool. */
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Longest statement in ms; 0 for none. */
  statementTimeoutMs?: number
}

/**
 * A pool of connections to Postgres. A transaction whose process freezes is ended by the server
 * after 10 s, so that it cannot hold a member's rows; nobody waits for a connection above 8 s.
 */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Knex {
  const { max = 10, name = 'tesp', statementTimeoutMs = 15_000 } = options
  return createKnex({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 10_000,
    },
    pool: { min: 0, max, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: 8_000,
    // Knex prints what its caller is thrown as well, and not as JSON.
    log: { warn: () => {}, error: () => {} },
  })
}
