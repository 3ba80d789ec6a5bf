import { engineOf } from '#db/engine/engine'
import type { Tx } from '#db/postgres/statements/transaction'

/** Whether the credits of a day (`2026-11-21`) are rolled up for some members and single rows for others. */
export async function isPartlyRolledUp(tx: Tx, day: string): Promise<boolean> {
  return (await engineOf(tx)).isPartlyRolledUp(tx, day)
}
