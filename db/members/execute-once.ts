import { engineOf } from '#db/engine/engine'
import { CANCELLED, lockAnswer, storeAnswer } from '#db/ledger/idempotency'
import { type Db, pipelineCommit, type Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { lockMember, notSignedIn, type SignIn } from './member-lock.ts'

/** A command as its request names it; `key` is the client's `Idempotency-Key`, if it sent one. */
export type CommandRequest = { signIn: SignIn; route: string; key: string | undefined }

/** The epoch of a member, and the command that ran under a key; null if none did. */
export type RequestRow = { authEpoch: number; route: string | null; answer: unknown }

/**
 * The answer that was stored under the key of a repeated request; undefined if the command has not
 * taken effect.
 * @throws {RuleError} as `executeOnce`
 */
export async function storedAnswer<T>(
  db: Db,
  { signIn, route, key }: CommandRequest,
): Promise<{ answer: T } | undefined> {
  const { memberId, epoch } = signIn
  const found = await (await engineOf(db)).readRequest(db, memberId, key ?? null)
  if (!found || found.authEpoch !== epoch) throw notSignedIn()
  if (found.route === null) return undefined
  if (found.route === CANCELLED) {
    throw new RuleError('command_cancelled', 'This command was cancelled')
  }
  if (found.route !== route) throw new RuleError('bad_input', 'Idempotency-Key was used before')
  return { answer: found.answer as T }
}

/**
 * Runs a member's command under the member's lock, once per idempotency key; a repeated request gets
 * the stored answer. The answer is stored in the command's transaction, so it exists exactly if the
 * command took effect. A concurrent request with the same key waits for the lock.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile; `command_cancelled` for
 * a cancelled key; `bad_input` for a key that was used for another route
 */
export async function executeOnce<T>(
  tx: Tx,
  request: CommandRequest,
  execute: () => Promise<T>,
): Promise<T> {
  const { signIn, route, key } = request
  // Sent together, in this order: Postgres begins the second statement when the lock is held.
  const [, stored] = await Promise.all([
    lockMember(tx, signIn.memberId),
    storedAnswer<T>(tx, request),
  ])
  if (stored) {
    await lockAnswer(tx, signIn.memberId, key)
    return stored.answer
  }
  const answer = await execute()
  if (key) pipelineCommit(tx, storeAnswer(tx, { memberId: signIn.memberId, key, route, answer }))
  return answer
}
