import type { Knex } from 'knex'
import type { Client, QueryConfig } from 'pg'

/** A transaction opened by an edge (route, job, command); first argument of everything that writes. */
export type Tx = Knex.Transaction
/** Anything that can read: a pool or a transaction. */
export type Db = Knex

/** Serialization failure and deadlock: Postgres asks to repeat the transaction. */
const RETRIED = new Set(['40001', '40P01'])
const MAX_TRIES = 5

/** SQLSTATE or network error code of a driver's error. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** For `.catch`: the refusal in place of a unique violation. */
export const ifTaken =
  (refusal: Error) =>
  (error: unknown): never => {
    throw sqlState(error) === '23505' ? refusal : error
  }

/** A row was routed to the default partition while the partition of its day was being attached. */
export function isMisrouted(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('violates partition constraint')
}

/** Repeats `work`, a whole transaction or statement, up to five times after retryable errors. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const again = RETRIED.has(sqlState(error) ?? '') || isMisrouted(error)
      if (attempt >= MAX_TRIES || !again) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

/** The parts of Knex' client in use; Knex types it as `any`. */
type PoolClient = {
  config: { preparedStatements?: boolean }
  acquireConnection(): Promise<Client>
  releaseConnection(connection: Client): Promise<void>
  emit(event: 'query' | 'query-response', ...given: unknown[]): void
}

/** Sends a statement past Knex, and tells Knex' listeners. */
async function send(client: PoolClient, connection: Connection, statement: QueryConfig) {
  const { text, values, name } = statement
  client.emit('query', { sql: text, bindings: values, options: name ? { name } : {} })
  const answer = await connection.query(statement)
  client.emit('query-response', answer)
  return answer
}

type Connection = Pick<Client, 'query'>

const transactionEnded = () => new Error('the transaction has ended')

/** The connection of a transaction. It refuses statements after the end, when it may serve another one. */
class OpenTransaction {
  hasEnded = false
  /** Statements whose answers COMMIT does not wait for. */
  readonly unanswered: Promise<unknown>[] = []
  private isCorked = false

  constructor(readonly connection: Client) {}

  readonly query = ((...given: Parameters<Client['query']>) => {
    if (this.hasEnded) throw transactionEnded()
    this.cork()
    return this.connection.query(...given)
  }) as Client['query']

  /** pg writes each statement by itself; those that follow before the next turn leave in the same write. */
  private cork(): void {
    if (this.isCorked) return
    const { stream } = this.connection.connection
    this.isCorked = true
    stream.cork()
    process.nextTick(() => {
      this.isCorked = false
      stream.uncork()
    })
  }
}

const openTransactions = new WeakMap<object, OpenTransaction>()

/** The driver's connection of a transaction of either kind. */
export const connectionOf = async (tx: Tx): Promise<Client> =>
  openTransactions.get(tx)?.connection ?? tx.client.acquireConnection()

/**
 * Sends a statement on a connection of the pool, or at the call on that of the transaction, so that statements that
 * are not awaited run in the order of their calls. `name` is that of the prepared statement.
 */
export async function sendStatement(db: Db, name: string, text: string, values: unknown[]) {
  const client: PoolClient = db.client
  const statement = client.config.preparedStatements ? { name, text, values } : { text, values }
  const transaction = openTransactions.get(db)
  if (transaction) return send(client, transaction, statement)
  if (db.isTransaction && (db as Tx).isCompleted()) throw transactionEnded()
  const connection = await client.acquireConnection()
  try {
    return await send(client, connection, statement)
  } finally {
    client.releaseConnection(connection)
  }
}

/**
 * Lets later statements and COMMIT follow `statement` without waiting for its answer: one round trip
 * less. If it fails, Postgres rolls back and `inTransaction` rejects. Another kind of transaction waits.
 */
export async function pipelineCommit(tx: Tx, statement: Promise<unknown>): Promise<void> {
  const transaction = openTransactions.get(tx)
  if (!transaction) return void (await statement)
  // Handled by `inTransaction`, but only after the COMMIT.
  statement.catch(() => {})
  transaction.unanswered.push(statement)
}

/** Knex' queries on the connection of a transaction, and savepoints. Knex' other functions are missing. */
function queriesOn(db: Knex, transaction: OpenTransaction): Tx {
  const queries = {
    isTransaction: true,
    client: db.client,
    fn: db.fn,
    ref: db.ref,
    raw: (sql: string, bindings: Knex.RawBinding[]) =>
      db.raw(sql, bindings).connection(transaction),
    async transaction<T>(work: (inner: Tx) => Promise<T>): Promise<T> {
      await transaction.query('savepoint nested')
      try {
        return await work(tx)
      } catch (error) {
        await transaction.query('rollback to savepoint nested')
        throw error
      }
    },
  }
  const from = (table: string) => db(table).connection(transaction)
  const tx = Object.assign(from, queries) as unknown as Tx
  openTransactions.set(tx, transaction)
  return tx
}

/** SQLSTATE of a statement after one that has failed; it does not say why that was. */
const AFTER_FAILURE = '25P02'

/** The error of the statement that failed first, although nobody waits for its answer. */
async function causeOf(error: unknown, { unanswered }: OpenTransaction): Promise<unknown> {
  if (sqlState(error) !== AFTER_FAILURE) return error
  const answers = await Promise.allSettled(unanswered)
  return answers.find((answer) => answer.status === 'rejected')?.reason ?? error
}

/**
 * A transaction on the driver: one of Knex costs the gateway 0.3 ms more and waits for the answer to BEGIN. Here
 * BEGIN leaves in one write with the first statements. Postgres runs them in order, each with its own snapshot, so
 * one that follows a lock sees what was committed before the lock was granted.
 */
async function runOnce<T>(db: Knex, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client: PoolClient = db.client
  const connection = await client.acquireConnection()
  const transaction = new OpenTransaction(connection)
  try {
    const begin = send(client, transaction, { text: 'BEGIN;' })
    begin.catch(() => {})
    const answer = await work(queriesOn(db, transaction))
    const commit = send(client, transaction, { text: 'COMMIT;' })
    transaction.hasEnded = true
    // A COMMIT after a failed statement rolls back and reports success.
    await Promise.all([begin, ...transaction.unanswered, commit])
    return answer
  } catch (error) {
    transaction.hasEnded = true
    await send(client, connection, { text: 'ROLLBACK' }).catch(() => {})
    throw await causeOf(error, transaction)
  } finally {
    client.releaseConnection(connection)
  }
}

/** Reads in one snapshot of the database. */
export function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(read, { isolationLevel: 'repeatable read', readOnly: true })
}

/**
 * Runs `work` in one transaction. Only edges call this. It repeats `work` after a serialization
 * failure or deadlock, so `work` must have no effect outside of the transaction.
 */
export function inTransaction<T>(db: Knex, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(() => runOnce(db, work))
}
