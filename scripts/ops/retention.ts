import { rollupStatus } from '#db/ledger/retention/rollup-status'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import type { OpsCall } from '#scripts/ops/call'

/** Prints the roll-up of each partition of the ledger: how far it is, and its size before and after. */
export async function retentionStatus({ db }: OpsCall): Promise<void> {
  console.table(await rollupStatus(db))
}

/** Rolls up everything that is due, beside the workers that do the same in small steps. */
export async function retentionRun({ db, config }: OpsCall): Promise<void> {
  const partitions = await rollUpLedger(db, config.ledgerDetailDays)
  console.log(`${partitions} partitions rolled up`)
}
