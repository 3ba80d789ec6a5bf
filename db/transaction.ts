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

/**
 * Runs `work` in one transaction. Only edges call this; it repeats the whole work where Postgres
 * asks for it, so `work` must have no effect outside of the transaction.
 */
export async function inTransaction<T>(db: Knex, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt >= MAX_TRIES || !RETRIED.has(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}
