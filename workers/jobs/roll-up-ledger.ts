import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import type { Handler } from '#workers/context'

/** Time that one run spends; a step that has begun ends. */
const RUN_MS = 30_000

/** Rolls up the credits of days older than `LEDGER_DETAIL_DAYS`; the next run continues. */
export const rollUpOldDays: Handler<'roll-up-ledger'> = async ({ db, config, log, stopping }) => {
  const end = performance.now() + RUN_MS
  const goOn = () => !stopping.aborted && performance.now() < end
  const partitions = await rollUpLedger(db, config.ledgerDetailDays, goOn)
  if (partitions > 0) log.info({ partitions }, 'old credits of the ledger rolled up')
}
