import type { Db, Tx } from '#db/postgres/transaction'
import { copyChunk, createMonth, mirrorDay, verifyMonth } from './copy-day.ts'
import { lockedStep, takeSteps } from './locked-step.ts'
import { type Month, monthToMerge } from './month.ts'
import { olderSnapshotExists } from './older-snapshot.ts'
import { lastCopy, swapMonth } from './swap-month.ts'

/** What a step did; `waiting` if it has to be tried again later. */
export type MergeStep = 'created' | 'mirrored' | 'copied' | 'verified' | 'merged' | 'waiting'
type DayState = { day: string; copiedBy: string | null; verified: boolean }

async function stepOf(tx: Tx, month: Month, days: string[]): Promise<MergeStep> {
  const { rows } = await tx.raw('select to_regclass(?) is null as missing', [month.name])
  if (rows[0].missing) {
    await createMonth(tx, month)
    return 'created'
  }
  const states: DayState[] = await tx('ledger_merges').where({ month: month.name })
  for (const day of days) {
    const state = states.find((each) => each.day === day)
    if (!state) {
      await mirrorDay(tx, day, month)
      return 'mirrored'
    }
    if (state.copiedBy === null) {
      await copyChunk(tx, day, month)
      return 'copied'
    }
  }
  if (!states.every(({ verified }) => verified)) {
    await verifyMonth(tx, days, month)
    return 'verified'
  }
  if (await olderSnapshotExists(tx, await lastCopy(tx, month))) return 'waiting'
  await swapMonth(tx, days, month)
  return 'merged'
}

/**
 * Takes the next step of merging the days of an old month into one partition.
 * @returns undefined when nothing is left to merge
 */
export async function mergeStep(db: Db): Promise<MergeStep | undefined> {
  return lockedStep(db, async (tx) => {
    const next = await monthToMerge(tx)
    return next && stepOf(tx, next.month, next.days)
  })
}

/**
 * Takes steps until nothing is left to merge, one has to wait, or `goOn` is false.
 * @returns the number of months that were merged
 */
export async function mergeOldDays(db: Db, goOn: () => boolean = () => true): Promise<number> {
  const taken = await takeSteps(() => mergeStep(db), goOn)
  return taken.filter((step) => step === 'merged').length
}
