import { engineOf } from '#db/engine/engine'
import { type Step, takeNext, takeStep, takeSteps } from '#db/ledger/steps'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { foldSessionsOf } from './fold-bucket.ts'
import { foldableSessions } from './foldable.ts'

/**
 * What a step did: looked at a batch of a bucket, or found the day's pass complete; `waiting` if it has
 * to be repeated later.
 */
export type FoldStep = 'folded' | 'complete' | 'waiting'

type Position = { day: string; bucket: number; afterId: number }

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Where the day's pass goes on; undefined once it has seen every bucket. */
async function readPosition(tx: Tx, now: number): Promise<Position | undefined> {
  const { rows } = await tx.raw(
    'select day::text as day, bucket, "afterId" from session_fold_position for update',
  )
  const stored: Position = rows[0]
  const today = dayText(now)
  const position = stored.day === today ? stored : { day: today, bucket: 0, afterId: 0 }
  if (position.bucket >= BUCKETS) return undefined
  const bucket = await (await engineOf(tx)).nextBucketToFold(tx, position)
  return bucket === position.bucket ? position : { day: today, bucket, afterId: 0 }
}

type State = { position: Position; before: Date }

const STEPS: Step<State, Exclude<FoldStep, 'waiting'>>[] = [
  {
    name: 'complete',
    isNext: ({ position }) => position.bucket >= BUCKETS,
    take: (tx, { position }) => tx('session_fold_position').update(position),
  },
  {
    name: 'folded',
    isNext: () => true,
    take: async (tx, { position, before }) => {
      const { ids, afterId } = await foldableSessions(tx, position, before)
      await foldSessionsOf(tx, position.bucket, ids)
      const next = afterId === null ? { bucket: position.bucket + 1, afterId: 0 } : { afterId }
      await tx('session_fold_position').update({ ...position, ...next })
    },
  },
]

/**
 * Folds the next old sessions into the totals of their members (decision 41), in a transaction of its
 * own together with the position.
 * @param detailDays age of the end from which a session is folded, days of product time
 * @returns undefined once every bucket was looked at on this day
 * @throws an error if the credits of a session differ from the ledger; its row stays
 */
export function foldStep(db: Db, detailDays: number): Promise<FoldStep | undefined> {
  return takeStep(db, 'archive sessions', async (tx) => {
    const now = await productNow(tx)
    const position = await readPosition(tx, now)
    const before = new Date(now - detailDays * DAY_MS)
    return position && takeNext(tx, { position, before }, STEPS)
  })
}

/** Takes steps until the day's pass is complete, one has to wait, or `goOn` is false. */
export async function foldSessions(
  db: Db,
  detailDays: number,
  goOn: () => boolean = () => true,
): Promise<void> {
  await takeSteps(() => foldStep(db, detailDays), goOn)
}
