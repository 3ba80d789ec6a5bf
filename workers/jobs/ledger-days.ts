import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { sealKey, signSeals } from '#db/ledger/seals/seal-chain'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { archiveSessions } from '#db/mining/archive-sessions'
import type { Handler } from '#workers/job'

/** Budget of one run; a step or day that has begun is finished. */
const RUN_MS = 30_000

/** Longest time after its end until a day of credits is rolled up and merged: a month and its delay. */
const ROLLED_UP_DAYS = 31

/** Rolls up credits older than `LEDGER_DETAIL_DAYS`, then archives old sessions whose credits are rolled up. */
export const rollUpOldDays: Handler<'roll-up-ledger'> = async (context) => {
  const { db, config, log, stopping } = context
  const end = performance.now() + RUN_MS
  const goOn = () => !stopping.aborted && performance.now() < end
  const errors: Error[] = []
  const note = (error: Error) => void errors.push(error)
  const partitions = await rollUpLedger(db, config.ledgerDetailDays, goOn).catch(note)
  if (partitions) log.info({ partitions }, 'old credits of the ledger rolled up')
  const keptDays = Math.max(config.sessionDetailDays, config.ledgerDetailDays + ROLLED_UP_DAYS)
  // A failed roll-up does not stop the archive, which compares each session with the ledger.
  await archiveSessions(db, keptDays, goOn).catch(note)
  if (errors.length > 0) {
    throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
  }
}

/** Seals complete days, or with `lateRows` again those with late credits, and signs the seals (decision 26). */
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
