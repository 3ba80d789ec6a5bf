import { engineOf } from '#db/engine/engine'
import { prepared } from '#db/postgres/statements/prepared'
import { type Db, pipelineCommit, type Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'

/** First key of the members' advisory locks; the second key is the member's id. */
export const MEMBER_LOCK = 7_300_103
const MEMBER_LOCK_SQL = `select pg_advisory_xact_lock(${MEMBER_LOCK}, :memberId)`
const EPOCH_SQL = 'select "authEpoch" from users where id = :memberId'

/** A sign-in: the member and the epoch (`users.authEpoch`) in which it was made. */
export type SignIn = { memberId: number; epoch: number | undefined }

/** The error of a request whose sign-in is missing or has ended. */
export const notSignedIn = () => new RuleError('not_signed_in', 'Please sign in')

/** The epoch of a member; undefined if the account is deleted. */
export async function readEpoch(
  db: Db,
  memberId: number,
): Promise<{ authEpoch: number } | undefined> {
  return (await prepared(db, 'sign-in-epoch', EPOCH_SQL, { memberId })).rows[0]
}

/** Rejects a sign-in of a deleted member or of an earlier epoch with `not_signed_in`. */
export async function assertSignedIn(db: Db, { memberId, epoch }: SignIn): Promise<void> {
  const member = await readEpoch(db, memberId)
  if (!member || member.authEpoch !== epoch) throw notSignedIn()
}

/**
 * Serializes the changes that a member makes, over all gateways, until commit. Take it before any
 * other lock, and read what it protects in a later statement: the snapshot of a statement that
 * waited for the lock is older than the lock.
 */
export async function lockMember(tx: Tx, memberId: number): Promise<void> {
  await prepared(tx, 'lock-member', MEMBER_LOCK_SQL, { memberId })
}

/** Takes the member's lock and checks the sign-in again under it. @throws {RuleError} `not_signed_in` */
export async function lockSignedIn(tx: Tx, signIn: SignIn): Promise<void> {
  await lockMember(tx, signIn.memberId)
  await assertSignedIn(tx, signIn)
}

/** Stored as the route of a key that was cancelled before a command used it. */
const CANCELLED = 'cancelled'

type KeyedAnswer = { memberId: number; key: string; route: string; answer: unknown }

const STORE_SQL = `
  insert into idempotency_keys (bucket, "userId", key, route, answer)
  values (:bucket, :userId, :key, :route, :answer)`

async function storeAnswer(tx: Tx, { memberId, answer, ...command }: KeyedAnswer): Promise<void> {
  const values = { ...memberKey(memberId), ...command, answer: JSON.stringify(answer) }
  await prepared(tx, 'store-answer', STORE_SQL, values)
}

const ANSWER_LOCK_SQL = `
  select 1 from idempotency_keys where bucket = :bucket and "userId" = :userId and key = :key for share`

/**
 * Makes a transaction that repeats a stored answer wait for the synchronous replica, by the WAL of a row lock.
 * Postgres shows a commit whose session ended while it waited, and a transaction that only reads would confirm it.
 */
export async function lockAnswer(db: Db, memberId: number, key: string | undefined): Promise<void> {
  await prepared(db, 'lock-answer', ANSWER_LOCK_SQL, { ...memberKey(memberId), key: key ?? null })
}

/** Whether a key was spent before its command took effect; otherwise the answer of the command. */
type Cancellation = { cancelled: boolean; answer: unknown }

/** Spends a key, so that a delayed request has no effect. Call it under the lock, which waits for a command. */
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

/** A command as its request names it; `key` is the client's `Idempotency-Key`, if it sent one. */
export type CommandRequest = { signIn: SignIn; route: string; key: string | undefined }

/** The epoch of a member, and the command that ran under a key; null if none did. */
export type RequestRow = { authEpoch: number; route: string | null; answer: unknown }

/** The stored answer of a repeated request; undefined if the command has not run. @throws as `executeOnce` */
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
 * Runs a member's command under the member's lock, once per idempotency key; a repeated request gets the answer,
 * which is stored in the command's transaction, so it exists exactly if the command took effect.
 * @param lock takes locks of `execute` and reads under them; it is sent with the check, so it must write nothing
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile; `command_cancelled` for
 * a cancelled key; `bad_input` for a key that was used for another route
 */
export async function executeOnce<T, Locked = undefined>(
  tx: Tx,
  request: CommandRequest,
  execute: (locked: Promise<Locked>) => Promise<T>,
  lock?: (tx: Tx, memberId: number) => Promise<Locked>,
): Promise<T> {
  const { signIn, route, key } = request
  // Sent together, in this order: Postgres begins the second statement when the lock is held.
  const [, stored, locked] = await Promise.all([
    lockMember(tx, signIn.memberId),
    storedAnswer<T>(tx, request),
    lock?.(tx, signIn.memberId),
  ])
  if (stored) {
    await lockAnswer(tx, signIn.memberId, key)
    return stored.answer
  }
  const answer = await execute(Promise.resolve(locked as Locked))
  if (key)
    await pipelineCommit(tx, storeAnswer(tx, { memberId: signIn.memberId, key, route, answer }))
  return answer
}
