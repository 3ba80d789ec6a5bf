import { lockedStep, takeSteps } from '#db/ledger/steps'
import { isDistributed } from '#db/postgres/connection/layout'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { citusMerge } from './citus/citus-merge.ts'
import { type MergeSql, postgresMerge } from './merge-sql.ts'
import { type Merge, nextMerge } from './next-merge.ts'

/** What a step did; `waiting` if it has to be tried again later. */
export type MergeStep = 'created' | 'mirrored' | 'copied' | 'verified' | 'merged' | 'waiting'
/** `day` is the name of a source of any length, `copiedBy` null until all its rows are copied. */
type SourceState = { day: string; copiedBy: string | null; verified: boolean }

async function stepOf(tx: Tx, merge: Merge, form: MergeSql): Promise<MergeStep> {
  const { into, sources } = merge
  const { rows } = await tx.raw('select to_regclass(?) is null as missing', [into.name])
  if (rows[0].missing) {
    await form.createMonth(tx, into)
    return 'created'
  }
  const states: SourceState[] = await tx('ledger_merges').where({ month: into.name })
  for (const source of sources) {
    const state = states.find(({ day }) => day === source)
    if (!state) {
      await form.mirrorSource(tx, source, into)
      return 'mirrored'
    }
    if (state.copiedBy === null) {
      await form.copyChunk(tx, source, into)
      return 'copied'
    }
  }
  if (!states.every(({ verified }) => verified)) {
    return (await form.verifyMonth(tx, merge)) ? 'verified' : 'waiting'
  }
  if (!(await form.isSeenByAll(tx, merge))) return 'waiting'
  await form.swapMonth(tx, merge)
  return 'merged'
}

/**
 * Takes the next step of merging the days of an old month into one partition (decision 9).
 * @returns undefined when nothing is left to merge
 */
export async function mergeStep(db: Db): Promise<MergeStep | undefined> {
  const form = (await isDistributed(db)) ? citusMerge : postgresMerge
  return lockedStep(db, async (tx) => {
    const merge = await nextMerge(tx)
    return merge && stepOf(tx, merge, form)
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
