import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'

/** First key of the members' advisory locks; the second key is the member's id. */
const MEMBER_LOCK = 7_300_103
const LOCK_SQL = `select pg_advisory_xact_lock(${MEMBER_LOCK}, :memberId)`
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
  await prepared(tx, 'lock-member', LOCK_SQL, { memberId })
}

/**
 * Takes the member's lock and checks the sign-in again under it.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function lockSignedIn(tx: Tx, signIn: SignIn): Promise<void> {
  await lockMember(tx, signIn.memberId)
  await assertSignedIn(tx, signIn)
}
