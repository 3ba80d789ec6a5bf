import { creditIntervals, dueSessions } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/product-clock'
import type { Context, Handler } from '#workers/context'
import { isolateSessions } from './isolate-sessions.ts'
import { isFullSweep, type SlotRange, type Swept, slotsToSweep } from './sweep-slots.ts'

/**
 * The sweep of one shard. Which slots were swept last is kept in memory only: a process that has
 * just started sweeps all slots, which is safe because a credited interval is not due again.
 */
export function creditSweep(
  realNow: () => number = () => performance.now(),
): Handler<'credit-due'> {
  const sweptByShard = new Map<number, Swept>()
  return async (context, { shard }) => {
    const swept = sweptByShard.get(shard)
    const now = await productNow(context.db)
    const at = realNow()
    for (const range of slotsToSweep(swept, now, at)) await drain(context, shard, range)
    // After an abort some slots are unswept, so this sweep is not recorded.
    if (context.stopping.aborted) return
    const fullAt = isFullSweep(swept, now, at) ? at : (swept?.fullAt ?? at)
    sweptByShard.set(shard, { at: now, fullAt })
  }
}

/** Credits what is due in some slots of a shard, batch by batch, until nothing is due. */
async function drain(context: Context, shard: number, range: SlotRange) {
  const { db, changes, metrics, stopping } = context
  while (!stopping.aborted) {
    const credits = await isolateSessions(context, {
      run: () => creditIntervals(db, { shard, ...range }),
      sessions: () => dueSessions(db, { shard, ...range }),
      runFor: (sessionIds) => creditIntervals(db, { shard, sessionIds }),
    })
    metrics.creditsTotal.inc(credits.length)
    const memberIds = [...new Set(credits.map(({ userId }) => userId))]
    await changes.publishMembers(memberIds, ['mining', 'wallet'])
    if (!credits.some(({ hasMore }) => hasMore)) return
  }
}
