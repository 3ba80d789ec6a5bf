import createKnex, { type Knex } from 'knex'
import pg from 'pg'
import { connectionGuard } from './connection-guard.ts'

/** bigint columns hold ids and counts, all far below 2^53; money is numeric and stays text. */
export const connectionTypes = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
}

export type ConnectOptions = {
  max?: number
  /** `application_name` in pg_stat_activity. */
  name?: string
  /** Off behind a pooler in transaction mode, which gives each transaction another connection. */
  preparedStatements?: boolean
  /** The same database without the pooler, for what a transaction cannot do. */
  directUrl?: string | undefined
  /** Longest statement in ms; 0 for no limit. */
  statementTimeoutMs?: number
  /** Longest time until a new connection is open, ms; above 8,000 also for the wait for a free one. */
  connectTimeoutMs?: number
  /** Whether the URL may lead to a server that accepts no writes; otherwise connecting to it fails. */
  mayBeReplica?: boolean
}

/** Silence of a server beyond the longest statement after which it counts as lost, ms. */
const SILENCE_MS = 5_000
/** Time after which an idle connection is checked by TCP keep-alives, one a second, ten at most; ms. */
const KEEP_ALIVE_MS = 5_000

/** Knex keeps settings that it does not know; `prepared` and `withOwnConnection` read these. */
type PoolConfig = Knex.Config & { preparedStatements: boolean; directUrl: string }

/**
 * A pool of connections without an engine (see `connect` of #db/engine). The server ends a transaction that is idle
 * for 10 s, so that a frozen process does not keep rows locked. Waiting for a connection fails after 8 s.
 * `connectionGuard` replaces connections that a failover has left behind.
 */
export function openPool(databaseUrl: string, options: ConnectOptions = {}): Knex {
  const { max = 10, name = 'tesp', preparedStatements = true, mayBeReplica = false } = options
  const { statementTimeoutMs = 15_000, connectTimeoutMs = 3_000 } = options
  const silenceMs = statementTimeoutMs && statementTimeoutMs + SILENCE_MS
  const connection: Knex.PgConnectionConfig & { pipeline: boolean } = {
    connectionString: databaseUrl,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: connectionTypes,
    pipeline: true,
    // pg does not send the number 0, so that a limit of the database would hold; it sends the text.
    statement_timeout: String(statementTimeoutMs) as unknown as number,
    idle_in_transaction_session_timeout: 10_000,
  }
  const config: PoolConfig = {
    client: 'pg',
    preparedStatements,
    directUrl: options.directUrl ?? databaseUrl,
    connection,
    pool: {
      min: 0,
      max,
      idleTimeoutMillis: 30_000,
      ...connectionGuard({ mayBeReplica, silenceMs }),
    },
    acquireConnectionTimeout: Math.max(8_000, connectTimeoutMs),
    // Knex prints as plain text what it throws to its caller anyway.
    log: { warn: () => {}, error: () => {} },
  }
  return createKnex(config)
}

/** Runs `work` on a connection that is opened for it and closed afterwards. If it is lost, a query rejects. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs `work` outside the pool without a statement time-out, for statements that refuse a transaction. */
export const withOwnConnection = (pool: Knex, work: (client: pg.Client) => Promise<unknown>) =>
  withClient(pool.client.config.directUrl, async (client) => {
    await client.query('set statement_timeout = 0')
    await work(client)
  })
