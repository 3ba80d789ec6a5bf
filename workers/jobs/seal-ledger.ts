import { sealKey, signSeals } from '#db/ledger/seals/chain'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import type { Handler } from '#workers/context'

/** Time that one run spends; a day that has begun is sealed. */
const RUN_MS = 30_000

/** Seals complete days of the ledger and signs the seals (decision 26); the next run continues. */
export const sealDays: Handler<'seal-ledger'> = async ({ db, config, log, stopping }) => {
  const end = performance.now() + RUN_MS
  const goOn = () => !stopping.aborted && performance.now() < end
  const seals = await sealLedger(db, goOn)
  const late = goOn() ? await sealLateRows(db) : 0
  const key = config.ledgerSealKey
  const signed = key ? await signSeals(db, sealKey(key)) : 0
  if (seals + late + signed > 0) log.info({ seals, late, signed }, 'days of the ledger sealed')
}
