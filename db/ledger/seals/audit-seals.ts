import { engineOf } from '#db/engine/engine'
import { inLedgerSnapshot } from '#db/ledger/partition-swap'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import { type Db, inSnapshot, type Tx } from '#db/postgres/statements/transaction'
import { FIRST_PREVIOUS, type Seal } from '#rules/seal/seal'
import { hashFits, signatureFits } from '#rules/seal/verify-receipt'
import { checkDay, type SealProblem } from './check-day.ts'
import { ROLLUP_OF_DAY, readSeals, sealedDays, sealOfDay } from './seal-chain.ts'

export const CHAIN_RULE = 'the chain of seals is whole and signed'
export const SEAL_RULE = 'the rows of a sealed day are the sealed ones'

/** Seals are signed in order, so one without a signature before a signed one is a problem too. */
async function brokenLinks(tx: Tx): Promise<SealProblem[]> {
  const problems: SealProblem[] = []
  const report = (day: string, problem: string) => problems.push({ day, userId: null, problem })
  let [number, hash] = [0, FIRST_PREVIOUS]
  let unsigned: Seal[] = []
  for (let seals = await readSeals(tx, 0); seals.length > 0; seals = await readSeals(tx, number)) {
    for (const seal of seals) {
      if (seal.number !== number + 1 || seal.previous !== hash)
        report(seal.day, 'the chain is broken')
      if (!(await hashFits(seal))) report(seal.day, 'the hash does not fit')
      if (seal.signature === null) unsigned.push(seal)
      else {
        if (!(await signatureFits(seal))) report(seal.day, 'the signature does not fit')
        for (const { day } of unsigned) report(day, 'the signature is missing')
        unsigned = []
      }
      number = seal.number
      hash = seal.hash
    }
  }
  return problems
}

const WAITING_SQL = `
  select from ledger_rollups where "swappedAt" > :sealedAt and ${ROLLUP_OF_DAY}`

/** Whether a roll-up of the day took its place in the ledger and is not sealed yet. */
export async function awaitsSeal(tx: Tx, seal: Seal): Promise<boolean> {
  const { rows } = await tx.raw(WAITING_SQL, { sealedAt: seal.sealedAt, day: seal.day })
  return rows.length > 0 || (await (await engineOf(tx)).isPartlyRolledUp(tx, seal.day))
}

async function problemsOfDay(tx: Tx, day: string): Promise<SealProblem[]> {
  await useBatchSettings(tx)
  const seal = await sealOfDay(tx, day)
  if (!seal || (await awaitsSeal(tx, seal))) return []
  return checkDay(tx, Date.parse(day), seal)
}

/** Compares every sealed day with the ledger, each in its own snapshot, and checks the chain; problems by rule. */
export async function auditSeals(db: Db): Promise<Record<string, SealProblem[]>> {
  const differing: SealProblem[] = []
  for (const day of (await sealedDays(db)).toReversed()) {
    differing.push(...(await inLedgerSnapshot(db, (tx) => problemsOfDay(tx, day))))
  }
  return { [CHAIN_RULE]: await inSnapshot(db, brokenLinks), [SEAL_RULE]: differing }
}
