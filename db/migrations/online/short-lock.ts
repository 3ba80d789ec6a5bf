import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'

/** Longest wait for a lock; commands and credits that need the same tables wait behind it. */
const LOCK_TIMEOUT = '200ms'
const LOCK_NOT_AVAILABLE = '55P03'
/** Time in which commands and credits go on before the next try. */
const PAUSE_MS = 500

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

/**
 * Changes tables in one transaction that locks them all, in this order, for its short time. Gives up
 * after 200 ms of waiting for a lock and tries again until it succeeds.
 */
export async function withShortLock(
  db: Knex,
  tables: string[],
  change: (tx: Knex.Transaction) => PromiseLike<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await db.transaction(async (tx) => {
        await tx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
        await tx.raw(
          `lock table ${tables.map(() => '??').join(', ')} in access exclusive mode`,
          tables,
        )
        await change(tx)
      })
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}
