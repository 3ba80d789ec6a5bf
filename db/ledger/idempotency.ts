import type { Db, Tx } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'

/** Stored as the route of a key that was cancelled before a command used it. */
const CANCELLED = 'cancelled'

/** A request with the client's `Idempotency-Key`. */
export type KeyedRequest = { memberId: number; key: string; route: string }

/**
 * Runs a command once per idempotency key; a repeated request gets the stored answer. The key is
 * written in the command's transaction, so it exists exactly if the command took effect. A
 * concurrent request with the same key waits for that transaction.
 * @throws {RuleError} `command_cancelled` for a cancelled key, `bad_input` for a key that was used
 * for another route
 */
export async function runOnce<T>(
  tx: Tx,
  { memberId, key, route }: KeyedRequest,
  command: () => Promise<T>,
): Promise<T> {
  const taken = await tx('idempotency_keys')
    .insert({ userId: memberId, key, route })
    .onConflict()
    .ignore()
    .returning('key')
  if (taken.length === 0) {
    const first = await tx('idempotency_keys').where({ userId: memberId, key }).first()
    if (first?.route === CANCELLED) {
      throw new RuleError('command_cancelled', 'This command was cancelled')
    }
    if (first?.route !== route) throw new RuleError('bad_input', 'Idempotency-Key was used before')
    return first.answer as T
  }
  const answer = await command()
  await tx('idempotency_keys')
    .where({ userId: memberId, key })
    .update({ answer: JSON.stringify(answer) })
  return answer
}

/** Whether a key was spent before its command took effect; otherwise the answer of the command. */
export type Cancellation = { cancelled: boolean; answer: unknown }

/**
 * Spends a key, so that a delayed request with it can no longer take effect. Waits for a running
 * command with that key.
 */
export async function cancelKey(tx: Tx, memberId: number, key: string): Promise<Cancellation> {
  const taken = await tx('idempotency_keys')
    .insert({ userId: memberId, key, route: CANCELLED })
    .onConflict()
    .ignore()
    .returning('key')
  if (taken.length > 0) return { cancelled: true, answer: null }
  const first = await tx('idempotency_keys').where({ userId: memberId, key }).first()
  return { cancelled: first?.route === CANCELLED, answer: first?.answer ?? null }
}

/** Deletes all keys and stored answers of a member. */
export async function deleteKeysOf(tx: Tx, memberId: number): Promise<void> {
  await tx('idempotency_keys').where({ userId: memberId }).delete()
}

/** Deletes keys older than two days, their retention. */
export async function deleteOldKeys(db: Db): Promise<number> {
  return db('idempotency_keys').whereRaw(`"createdAt" < now() - interval '2 days'`).delete()
}
