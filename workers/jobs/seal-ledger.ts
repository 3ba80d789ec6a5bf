import { sealKey, signSeals } from '#db/ledger/seals/chain'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import type { Handler } from '#workers/context'

/** Time that one run spends; a day that has begun is sealed. */
const RUN_MS = 30_000

/**
 * Seals complete days of the ledger, or with `lateRows` again those whose credits arrived after their
 * seal, and signs the seals (decision 26). The next run continues.
 */
export const sealDays: Handler<'seal-ledger'> = async (context, { lateRows }) => {
  const { db, config, log, stopping } = context
  const end = performance.now() + RUN_MS
  const seals = lateRows
    ? await sealLateRows(db, () => !stopping.aborted)
    : await sealLedger(db, () => !stopping.aborted && performance.now() < end)
  const key = config.ledgerSealKey
  const signed = key ? await signSeals(db, sealKey(key)) : 0
  if (seals + signed > 0) log.info({ seals, signed, lateRows }, 'days of the ledger sealed')
}
