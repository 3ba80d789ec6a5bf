import type { Knex } from 'knex'

/** A transaction that an edge opened: the first argument of everything that writes. */
export type Tx = Knex.Transaction
/** Anything that can read: a pool or a transaction. */
export type Db = Knex

/** Postgres says "try again": a serialization failure or a deadlock. */
const RETRIED = new Set(['40001', '40P01'])
const MAX_TRIES = 5

/** SQLSTATE or network code of an error that a driver threw. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** A row was on its way into the default partition while its day's own was attached. */
function isMisrouted(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('violates partition constraint')
}

/** Repeats `work`, a whole transaction or statement, where Postgres asks for it. */
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

/**
 * Runs `work` in one transaction. Only edges call this; it repeats the whole work where Postgres
 * asks for it, so `work` must have no effect outside of the transaction.
 */
export function inTransaction<T>(db: Knex, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(() => db.transaction(work))
}
