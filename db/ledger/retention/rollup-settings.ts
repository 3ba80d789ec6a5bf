import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Tx } from '#db/postgres/statements/transaction'

/**
 * For one transaction. The planner expects few rows of a pass and would sort them before it groups them, which
 * takes twice as long for the many that there are. Where an order is needed it sorts anyway.
 */
export async function useRollupSettings(tx: Tx): Promise<void> {
  await useBatchSettings(tx)
  await tx.raw('set local enable_sort = off')
}
