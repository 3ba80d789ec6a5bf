import { engineOf } from '#db/engine/engine'
import { takeStep, takeSteps } from '#db/ledger/steps'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { MergeSql } from './merge-sql.ts'
import { DETAIL_DAYS, type Merge, nextMerge } from './next-merge.ts'

/** What a step did; `waiting` if it has to be repeated later. */
export type MergeStep = 'created' | 'mirrored' | 'copied' | 'verified' | 'merged' | 'waiting'

type MirroredDay = { day: string; copiedBy: string | null; verified: boolean }

async function takeNext(tx: Tx, merge: Merge, sql: MergeSql): Promise<MergeStep> {
  const { into, sources } = merge
  const { rows } = await tx.raw('select to_regclass(?) is not null as "isCreated"', [into.name])
  if (!rows[0].isCreated) {
    await sql.createMonth(tx, into)
    return 'created'
  }
  const mirrored: MirroredDay[] = await tx('ledger_merges').where({ month: into.name })
  const stateOf = (source: string) => mirrored.find(({ day }) => day === source)
  const next = sources.find((source) => !stateOf(source)?.copiedBy)
  if (next !== undefined && !stateOf(next)) {
    await sql.mirrorSource(tx, next, into)
    return 'mirrored'
  }
  if (next !== undefined) {
    await sql.copyChunk(tx, next, into)
    return 'copied'
  }
  if (!mirrored.every(({ verified }) => verified)) {
    return (await sql.verifyMonth(tx, merge)) ? 'verified' : 'waiting'
  }
  if (!(await sql.isSeenByAll(tx, merge))) return 'waiting'
  await sql.swapMonth(tx, merge)
  return 'merged'
}

/**
 * Takes the next step of merging the days of an old month into one partition (decision 9); undefined if none is left.
 * @param detailDays `LEDGER_DETAIL_DAYS`: days that are still to be rolled up are not merged
 */
export async function mergeStep(db: Db, detailDays = DETAIL_DAYS): Promise<MergeStep | undefined> {
  const sql = (await engineOf(db)).merge
  return takeStep(db, 'merge partitions', async (tx) => {
    const merge = await nextMerge(tx, detailDays)
    return merge && takeNext(tx, merge, sql)
  })
}

/** Takes steps until none is left, one has to wait, or `goOn` is false; returns the number of completed merges. */
export async function mergePartitions(
  db: Db,
  detailDays = DETAIL_DAYS,
  goOn: () => boolean = () => true,
): Promise<number> {
  const taken = await takeSteps(() => mergeStep(db, detailDays), goOn)
  return taken.filter((step) => step === 'merged').length
}
