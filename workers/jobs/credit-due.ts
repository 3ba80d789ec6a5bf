import { creditIntervals } from '#db/ledger/ledger'
import { type SweepRest, type SweptBatch, sessionsToSweep, sweepBatch } from '#db/mining/sweep'
import type { Context, Handler } from '#workers/context'
import { isolateSessions } from './isolate-sessions.ts'

/** Credits what is due in one shard, batch by batch, and publishes the members of each batch. */
export const creditDue: Handler<'credit-due'> = async (context, { shard }) => {
  const { changes, metrics, stopping } = context
  let rest: SweepRest | undefined
  while (!stopping.aborted) {
    const batches = await creditBatch(context, shard, rest)
    const memberIds = batches.flatMap((batch) => batch.memberIds)
    metrics.creditsTotal.inc(memberIds.length)
    await changes.publishMembers(memberIds, ['mining', 'wallet'])
    const [batch] = batches
    if (batch?.isDone) return
    rest = batch?.rest
  }
}

/** The next batch of the sweep, or its parts if one of its sessions breaks the statement. */
function creditBatch(
  context: Context,
  shard: number,
  rest: SweepRest | undefined,
): Promise<SweptBatch[]> {
  const { db } = context
  return isolateSessions(context, {
    run: () => sweepBatch(db, shard, rest),
    sessions: () => sessionsToSweep(db, shard, rest),
    runFor: async (sessionIds) => {
      const credits = await creditIntervals(db, { shard, sessionIds })
      return {
        memberIds: credits.map(({ userId }) => userId),
        isDone: false,
        ...(rest && { rest }),
      }
    },
  })
}
