import type { Knex } from 'knex'

/**
 * A transaction opened by an edge (route, job, command); first argument of everything that writes.
 */
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

/** A row was routed to the default partition while the partition of its day was being attached. */
function isMisrouted(error: unknown): boolean {
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

/** Statements whose answers a transaction does not wait for before its COMMIT. */
const lastStatements = new WeakMap<Tx, Promise<unknown>>()

/**
 * Lets COMMIT follow `statement`, the last one of the transaction, without waiting for its answer: one
 * round trip less. It must be sent already, as those of `prepared` are. If it fails, Postgres rolls
 * back and `inTransaction` rejects.
 */
export function commitWith(tx: Tx, statement: Promise<unknown>): void {
  // Handled by `inTransaction`, but only after the COMMIT.
  statement.catch(() => {})
  lastStatements.set(tx, statement)
}

/**
 * Runs `work` in one transaction. Only edges call this. It repeats `work` after a serialization
 * failure or deadlock, so `work` must have no effect outside of the transaction.
 */
export function inTransaction<T>(db: Knex, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(async () => {
    let last: Promise<unknown> | undefined
    const answer = await db.transaction(async (tx) => {
      const answer = await work(tx)
      last = lastStatements.get(tx)
      return answer
    })
    // A COMMIT after a failed statement rolls back and reports success.
    await last
    return answer
  })
}
