import type { Tx } from '#db/postgres/statements/transaction'
import { keyedHash, keyedHashes } from '#runtime/secrets/encryption'

const PURPOSE = 'address'

/**
 * A new member's keyed hash: without the data key, addresses cannot be recovered or tried. An older key's if a deleted
 * member was counted under it, so a rotation frees no address.
 */
export async function emailHashToStore(tx: Tx, dataKey: Buffer, emailKey: string): Promise<string> {
  const [current, ...older] = keyedHashes(dataKey, PURPOSE, emailKey)
  if (older.length === 0) return current
  const counted = await tx('counted_addresses').whereIn('hash', older).first('hash')
  return counted?.hash ?? current
}

/** Records that a member being deleted was counted in a team under this e-mail address. */
export async function markEmailUsed(tx: Tx, dataKey: Buffer, emailKey: string): Promise<void> {
  await tx('counted_addresses')
    .insert({ hash: keyedHash(dataKey, PURPOSE, emailKey) })
    .onConflict('hash')
    .merge({ createdAt: tx.fn.now() })
}

/** Whether a deleted member was counted in a team under this member's e-mail address. */
export async function wasEmailUsed(tx: Tx, memberId: number): Promise<boolean> {
  const found = await tx('counted_addresses as c')
    .join('users as u', 'u.addressHash', 'c.hash')
    .where('u.id', memberId)
    .first('c.hash')
  return found !== undefined
}
