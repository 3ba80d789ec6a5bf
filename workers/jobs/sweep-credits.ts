import { creditIntervals } from '#db/ledger/ledger'
import { type SweepRest, type SweptBatch, sessionsToSweep, sweepBatch } from '#db/mining/sweep'
import { currentCause } from '#db/process/request-id'
import type { Context, Handler } from '#workers/context'
import { JOB_RETENTION } from '#workers/queue'
import { isolateSessions } from './isolate-sessions.ts'

/**
 * Credits what is due in some shards and publishes the members of each batch. If one statement over
 * several shards is full, the rest is a job for each shard, so that processes share it.
 */
export const sweepCredits: Handler<'sweep-credits'> = async (context, { shards }) => {
  let rest: SweepRest | undefined
  while (!context.stopping.aborted) {
    const batches = await creditBatch(context, shards, rest)
    await publish(context, batches)
    const [batch] = batches
    if (batch?.isDone) return
    if (batch?.isFull && shards.length > 1) return addJobPerShard(context, shards)
    rest = batch?.rest
  }
}

/** The next batch of the sweep, or its parts if one of its sessions breaks the statement. */
function creditBatch(
  context: Context,
  shards: number[],
  rest: SweepRest | undefined,
): Promise<SweptBatch[]> {
  const { db } = context
  const [bucket = 0] = shards
  return isolateSessions(context, {
    run: () => sweepBatch(db, shards, rest),
    sessions: () => sessionsToSweep(db, shards, rest),
    runFor: async (sessionIds) => {
      const credits = await creditIntervals(db, { sessionIds, bucket })
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

/** The job ids keep a shard from being queued twice. */
async function addJobPerShard({ sweepQueue }: Context, shards: number[]): Promise<void> {
  await sweepQueue.addBulk(
    shards.map((shard) => ({
      name: 'sweep-credits',
      data: { shards: [shard], ...currentCause() },
      opts: { ...JOB_RETENTION, removeOnFail: true, jobId: `shard-${shard}` },
    })),
  )
}
