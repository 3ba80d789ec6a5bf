import { engineOf } from '#db/engine/engine'
import { creditIntervals } from '#db/ledger/ledger'
import { findMissedCredits } from '#db/mining/credit-lag'
import type { SweepRest, SweptBatch } from '#db/mining/sweep'
import { BATCH_CREDITS, forEachRange, rangesToSweep, sweepBatch } from '#db/mining/sweep'
import { ALL_BUCKETS, type BucketRange } from '#rules/buckets'
import type { Context, Handler } from '#workers/job'
import { JOB_RETENTION } from '#workers/queue'
import { chooseSweep, rangeJobId } from './coordinate-sweeps.ts'
import { isolateSessions } from './isolate-sessions.ts'

/** Credits what is due. A backlog of more than one statement becomes a job for each range, shared by processes. */
export const sweepCredits: Handler<'sweep-credits'> = async (context, { buckets }, jobId) => {
  if (isAll(buckets)) {
    // BullMQ lists the newest active job first.
    const active = await context.sweepQueue.getRanges(['active'], 0, -1)
    const turn = chooseSweep(active, jobId, Date.now())
    if (turn === 'skip') return
    if (turn === 'add ranges') return addJobPerRange(context)
  }
  const { db } = context
  const ranges = isAll(buckets) ? await (await engineOf(db)).rangesOfStatement(db) : [buckets]
  await forEachRange(ranges, async (range) => {
    const isShared = await sweepRange(context, range, isAll(buckets))
    if (isShared) await addJobPerRange(context)
    return isShared
  })
}

/** Sweeps to the end; returns true after a large batch if other processes may help. */
async function sweepRange(
  context: Context,
  range: BucketRange,
  canShare: boolean,
): Promise<boolean> {
  let rest: SweepRest | undefined
  while (!context.stopping.aborted) {
    const batches = await creditBatch(context, range, rest)
    await publish(context, batches)
    const [batch] = batches
    if (batch?.isDone) break
    if (batch && isLarge(batch) && canShare) return true
    rest = batch?.rest
  }
  return false
}

/** A sweep adapts its statements to four fifths of the limit, so one of a backlog is rarely full. */
function isLarge({ isFull, memberIds }: SweptBatch): boolean {
  return isFull || memberIds.length >= BATCH_CREDITS / 2
}

/** A list of Citus may begin with the first bucket and end with the last one. */
function isAll({ first, last, list }: BucketRange): boolean {
  return !list && first === ALL_BUCKETS.first && last === ALL_BUCKETS.last
}

function creditBatch(
  context: Context,
  buckets: BucketRange,
  rest: SweepRest | undefined,
): Promise<SweptBatch[]> {
  const { db } = context
  return isolateSessions(context, {
    run: () => sweepBatch(db, buckets, rest),
    sessions: async () => (await engineOf(db)).sessionsToSweep(db, buckets, rest, BATCH_CREDITS),
    runFor: async (sessions) => {
      const credits = await creditIntervals(db, { sessions, range: buckets })
      const memberIds = credits.map(({ userId }) => userId)
      return { memberIds, isFull: false, isDone: false, ...(rest && { rest }) }
    },
  })
}

async function publish({ changes, metrics }: Context, batches: SweptBatch[]): Promise<void> {
  const memberIds = batches.flatMap((batch) => batch.memberIds)
  metrics.creditsTotal.inc(memberIds.length)
  await changes.publishMembers(memberIds, ['mining', 'wallet'])
}

/** The job ids keep a range from being queued twice. */
async function addJobPerRange({ db, sweepQueue, cause }: Context): Promise<void> {
  const ranges = await rangesToSweep(db)
  await sweepQueue.addBulk(
    ranges.map((buckets) => ({
      name: 'sweep-credits',
      data: { buckets, ...cause },
      opts: { ...JOB_RETENTION, removeOnFail: true, jobId: rangeJobId(buckets.first) },
    })),
  )
}

/** Makes the sweeps credit again what they missed; reads all running sessions. */
export const checkCredits: Handler<'check-credits'> = async ({ db, log }) => {
  const firstBuckets = await findMissedCredits(db)
  if (firstBuckets.length > 0)
    log.warn({ firstBuckets }, 'sweeps missed intervals; the next sweeps credit them')
}
