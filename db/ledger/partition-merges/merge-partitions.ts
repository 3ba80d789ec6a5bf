import { engineOf } from '#db/engine/engine'
import { type Step, takeNext, takeStep, takeSteps } from '#db/ledger/steps'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { MergeSql } from './merge-sql.ts'
import { type Merge, nextMerge } from './next-merge.ts'

/** What a step did; `waiting` if it has to be repeated later. */
export type MergeStep = 'created' | 'mirrored' | 'copied' | 'verified' | 'merged' | 'waiting'

type DayState = { day: string; copiedBy: string | null; verified: boolean }
type State = {
  merge: Merge
  isCreated: boolean
  /** The days that are mirrored. */
  days: DayState[]
  /** The first day whose rows are not all copied. */
  next: string | undefined
}

async function readState(tx: Tx, merge: Merge): Promise<State> {
  const { name } = merge.into
  const { rows } = await tx.raw('select to_regclass(?) is not null as "isCreated"', [name])
  const days: DayState[] = await tx('ledger_merges').where({ month: name })
  const isCopied = (day: string) => days.some((each) => each.day === day && each.copiedBy !== null)
  const next = merge.sources.find((day) => !isCopied(day))
  return { merge, isCreated: rows[0].isCreated, days, next }
}

const stepsOf = (sql: MergeSql): Step<State, Exclude<MergeStep, 'waiting'>>[] => [
  {
    name: 'created',
    isNext: ({ isCreated }) => !isCreated,
    take: (tx, { merge }) => sql.createMonth(tx, merge.into),
  },
  {
    name: 'mirrored',
    isNext: ({ days, next }) => next !== undefined && !days.some(({ day }) => day === next),
    take: (tx, { merge, next = '' }) => sql.mirrorSource(tx, next, merge.into),
  },
  {
    name: 'copied',
    isNext: ({ next }) => next !== undefined,
    take: (tx, { merge, next = '' }) => sql.copyChunk(tx, next, merge.into),
  },
  {
    name: 'verified',
    isNext: ({ days }) => !days.every(({ verified }) => verified),
    take: (tx, { merge }) => sql.verifyMonth(tx, merge),
  },
  {
    name: 'merged',
    isNext: () => true,
    take: async (tx, { merge }) => {
      if (!(await sql.isSeenByAll(tx, merge))) return false
      return sql.swapMonth(tx, merge)
    },
  },
]

/**
 * Takes the next step of merging the days of an old month into one partition (decision 9).
 * @returns undefined when nothing is left to merge
 */
export async function mergeStep(db: Db): Promise<MergeStep | undefined> {
  const steps = stepsOf((await engineOf(db)).merge)
  return takeStep(db, 'merge partitions', async (tx) => {
    const merge = await nextMerge(tx)
    return merge && takeNext(tx, await readState(tx, merge), steps)
  })
}

/**
 * Takes steps until nothing is left to merge, one has to wait, or `goOn` is false.
 * @returns the number of merges that were completed
 */
export async function mergePartitions(db: Db, goOn: () => boolean = () => true): Promise<number> {
  const taken = await takeSteps(() => mergeStep(db), goOn)
  return taken.filter((step) => step === 'merged').length
}
