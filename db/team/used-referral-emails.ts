import type { Db, Tx } from '#db/postgres/transaction'
import { keyedHash } from '#db/process/encryption'

/** Without the key nobody can tell an address from it, nor try addresses out. */
export function emailHash(dataKey: Buffer, emailKey: string): string {
  return keyedHash(dataKey, 'address', emailKey)
}

/** Notes that an address was counted in a team by a member who is being deleted. */
export async function markEmailUsed(tx: Tx, hash: string): Promise<void> {
  await tx('counted_addresses')
    .insert({ hash })
    .onConflict('hash')
    .merge({ createdAt: tx.fn.now() })
}

/** Whether the member's address was counted in a team before, by a member who was deleted since. */
export async function wasEmailUsed(tx: Tx, memberId: number): Promise<boolean> {
  const found = await tx('counted_addresses as c')
    .join('users as u', 'u.addressHash', 'c.hash')
    .where('u.id', memberId)
    .first('c.hash')
  return found !== undefined
}

/** After a year an address may be counted anew. */
export async function deleteOldEmailHashes(db: Db): Promise<number> {
  return db('counted_addresses').whereRaw(`"createdAt" < now() - interval '1 year'`).delete()
}
