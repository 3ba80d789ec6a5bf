import { type Db, sqlState, type Tx } from '#db/postgres/transaction'
import { copyChunk, createMonth, mirrorDay, verifyMonth } from './copy-day.ts'
import { type Month, monthToMerge } from './month.ts'
import { olderSnapshotExists, swapMonth } from './swap-month.ts'

/** Key of the advisory lock that lets one process at a time take a step. */
const MERGE_LOCK = 7_300_102
/** Longest wait for a lock; credits that need the same lock wait behind it. */
const LOCK_TIMEOUT = '200ms'
const LOCK_NOT_AVAILABLE = '55P03'

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
  if (await olderSnapshotExists(tx, month)) return 'waiting'
  await swapMonth(tx, days, month)
  return 'merged'
}

/**
 * Takes the next step of merging the days of an old month into one partition, in a transaction of
 * its own: all progress is in the database, so a process that dies repeats or loses nothing.
 * @returns undefined when nothing is left to merge
 */
export async function mergeStep(db: Db): Promise<MergeStep | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const { rows } = await tx.raw('select pg_try_advisory_xact_lock(?) as locked', [MERGE_LOCK])
      if (!rows[0].locked) return 'waiting'
      const next = await monthToMerge(tx)
      if (!next) return undefined
      await tx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      return stepOf(tx, next.month, next.days)
    })
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return 'waiting'
    throw error
  }
}

/**
 * Takes steps until nothing is left to merge, one has to wait, or `goOn` is false.
 * @returns the number of months that were merged
 */
export async function mergeOldDays(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let merged = 0
  while (goOn()) {
    const step = await mergeStep(db)
    if (step === undefined || step === 'waiting') break
    if (step === 'merged') merged++
  }
  return merged
}
