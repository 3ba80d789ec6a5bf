import { isoTimes } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { PASSKEYS_MAX } from '#rules/constants'
import type { Passkey } from '#rules/members/account-snapshots'
import { RuleError } from '#rules/rule-error'

/** A verified credential, as its registration reports it. */
export type NewPasskey = {
  /** Base64url, chosen by the authenticator. */
  credentialId: string
  /** COSE key. */
  publicKey: Uint8Array
  /** Signatures that the authenticator reports; 0 if it counts none. */
  counter: number
  transports: string[]
  backedUp: boolean
  name: string
}

/** What the verification of a signature needs. */
export type StoredPasskey = Omit<NewPasskey, 'name'> & { id: number; memberId: number }

/** The member's passkeys, oldest first. */
export async function readPasskeys(db: Db, memberId: number): Promise<Passkey[]> {
  const rows = await db('passkeys')
    .where({ userId: memberId })
    .orderBy('id')
    .select('id', 'name', 'createdAt as addedAt', 'lastUsedAt', 'backedUp')
  return rows.map(isoTimes<Passkey>)
}

/** Credentials of the member, so that an authenticator does not add a second one. */
export async function credentialsOf(
  db: Db,
  memberId: number,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
  return db('passkeys')
    .where({ userId: memberId })
    .orderBy('id')
    .select('credentialId', 'transports')
}

/** @throws {RuleError} `passkeys_full` */
export async function assertPasskeyFits(db: Db, memberId: number): Promise<void> {
  if ((await credentialsOf(db, memberId)).length >= PASSKEYS_MAX) {
    throw new RuleError('passkeys_full', `You can have at most ${PASSKEYS_MAX} passkeys`)
  }
}

/**
 * Adds a passkey; the caller holds the member's lock, so that parallel requests cannot exceed the maximum.
 * @throws {RuleError} `passkeys_full`, or `passkey_refused` for a credential that is stored already
 */
export async function addPasskey(tx: Tx, memberId: number, passkey: NewPasskey): Promise<void> {
  await assertPasskeyFits(tx, memberId)
  const added = await tx('passkeys')
    .insert({ ...passkey, userId: memberId, publicKey: Buffer.from(passkey.publicKey) })
    .onConflict('credentialId')
    .ignore()
    .returning('id')
  if (added.length === 0) throw new RuleError('passkey_refused', API_TEXTS.passkeyKnown)
}

/** Renames a passkey of the member. @throws {RuleError} `not_found` */
export async function renamePasskey(
  tx: Tx,
  memberId: number,
  { passkeyId, name }: { passkeyId: number; name: string },
): Promise<void> {
  const renamed = await tx('passkeys').where({ id: passkeyId, userId: memberId }).update({ name })
  if (renamed === 0) throw new RuleError('not_found', API_TEXTS.passkeyUnknown)
}

/** Removes a passkey; no sign-in with it succeeds after the commit. Returns its name. @throws `not_found` */
export async function removePasskey(tx: Tx, memberId: number, passkeyId: number): Promise<string> {
  const [removed] = await tx('passkeys')
    .where({ id: passkeyId, userId: memberId })
    .delete()
    .returning('name')
  if (!removed) throw new RuleError('not_found', API_TEXTS.passkeyUnknown)
  return removed.name
}

/** The passkey of a signature, locked: two signatures with one counter are compared one after the other. */
export async function lockPasskey(
  tx: Tx,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  return tx('passkeys')
    .where({ credentialId })
    .forUpdate()
    .first('id', 'userId as memberId', 'credentialId', 'publicKey', 'counter')
    .select('transports', 'backedUp')
}

/** Records a sign-in with the passkey. */
export async function recordPasskeyUse(
  tx: Tx,
  id: number,
  { counter, backedUp }: Pick<StoredPasskey, 'counter' | 'backedUp'>,
): Promise<void> {
  await tx('passkeys').where({ id }).update({ counter, backedUp, lastUsedAt: tx.fn.now() })
}
