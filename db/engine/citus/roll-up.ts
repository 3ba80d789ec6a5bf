import type { Tx } from '#db/postgres/statements/transaction'

const SQL = `
  select from ledger_rollups
  where "swappedAt" is null and :day like right(partition, -length('wallet_activity_')) || '%'`

/**
 * Whether the credits of a day are rolled up on some shards and single rows on others. It is sealed again
 * after the last shard.
 * @param day as text, `2026-11-21`
 */
export async function isPartlyRolledUp(tx: Tx, day: string): Promise<boolean> {
  const { rows } = await tx.raw(SQL, { day: day.replaceAll('-', '') })
  return rows.length > 0
}
