import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { foldSessions } from '#db/mining/folding/fold-steps'
import type { Handler } from '#workers/context'

/** Time that one run spends; a step that has begun ends. */
const RUN_MS = 30_000

/** Longest time after its end until a day of credits is rolled up and merged: a month and its delay. */
const ROLLED_UP_DAYS = 31

/**
 * Rolls up the credits of days older than `LEDGER_DETAIL_DAYS`, then folds sessions older than
 * `SESSION_DETAIL_DAYS`, whose credits are rolled up by then; the next run continues.
 */
export const rollUpOldDays: Handler<'roll-up-ledger'> = async (context) => {
  const { db, config, log, stopping } = context
  const end = performance.now() + RUN_MS
  const goOn = () => !stopping.aborted && performance.now() < end
  const partitions = await rollUpLedger(db, config.ledgerDetailDays, goOn)
  if (partitions > 0) log.info({ partitions }, 'old credits of the ledger rolled up')
  await foldSessions(
    db,
    Math.max(config.sessionDetailDays, config.ledgerDetailDays + ROLLED_UP_DAYS),
    goOn,
  )
}
