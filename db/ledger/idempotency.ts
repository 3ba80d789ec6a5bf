import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'

/** Stored as the route of a key that was cancelled before a command used it. */
export const CANCELLED = 'cancelled'

/** The answer to the command that ran under a member's idempotency key. */
export type KeyedAnswer = { memberId: number; key: string; route: string; answer: unknown }

const STORE_SQL = `
  insert into idempotency_keys (bucket, "userId", key, route, answer)
  values (:bucket, :userId, :key, :route, :answer)`

/** Stores the answer of a command, in its transaction and under its member's lock. */
export async function storeAnswer(tx: Tx, command: KeyedAnswer): Promise<void> {
  const { memberId, key, route } = command
  const answer = JSON.stringify(command.answer)
  await prepared(tx, 'store-answer', STORE_SQL, { ...memberKey(memberId), key, route, answer })
}

const LOCK_SQL = `
  select 1 from idempotency_keys where bucket = :bucket and "userId" = :userId and key = :key for share`

/**
 * Makes the commit of a transaction that repeats a stored answer wait for the replica, if replication
 * is synchronous. Postgres also shows a commit whose session was ended while it waited for the replica,
 * and a transaction that only reads would confirm it; the lock of the row is written to the WAL after
 * it.
 */
export async function lockAnswer(db: Db, memberId: number, key: string | undefined): Promise<void> {
  await prepared(db, 'lock-answer', LOCK_SQL, { ...memberKey(memberId), key: key ?? null })
}

/** Whether a key was spent before its command took effect; otherwise the answer of the command. */
export type Cancellation = { cancelled: boolean; answer: unknown }

/**
 * Spends a key, so that a delayed request with it can no longer take effect. Call it under the
 * member's lock, which waits for a running command.
 */
export async function cancelKey(tx: Tx, memberId: number, key: string): Promise<Cancellation> {
  const first = await tx('idempotency_keys')
    .where({ ...memberKey(memberId), key })
    // As `lockAnswer`.
    .forShare()
    .first()
  if (first) return { cancelled: first.route === CANCELLED, answer: first.answer }
  await storeAnswer(tx, { memberId, key, route: CANCELLED, answer: null })
  return { cancelled: true, answer: null }
}

/** Deletes all keys and stored answers of a member. */
export async function deleteKeysOf(tx: Tx, memberId: number): Promise<void> {
  await tx('idempotency_keys').where(memberKey(memberId)).delete()
}

/** Deletes keys older than two days, their retention. */
export async function deleteOldKeys(db: Db): Promise<number> {
  return db('idempotency_keys').whereRaw(`"createdAt" < now() - interval '2 days'`).delete()
}
