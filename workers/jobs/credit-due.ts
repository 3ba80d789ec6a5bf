import { creditIntervals, dueSessions } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/product-clock'
import { publishMembers } from '#db/process/change-channel'
import type { Context, Handler } from '#workers/context'
import { creditsTotal } from '#workers/metrics'
import { isolateSessions } from './isolate-sessions.ts'
import { isFullSweep, type SlotRange, type Swept, slotsToSweep } from './sweep-slots.ts'

/**
 * A sweep of one shard. What it swept last is remembered in this process alone: a process that
 * knows nothing asks for everything, and a credit that was made is not due again.
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
    // What a stop left undone is due for whoever sweeps next, so it does not count as swept.
    if (context.stopping.aborted) return
    const fullAt = isFullSweep(swept, now, at) ? at : (swept?.fullAt ?? at)
    sweptByShard.set(shard, { at: now, fullAt })
  }
}

async function drain(context: Context, shard: number, range: SlotRange) {
  const { db, redis, config, log, stopping } = context
  while (!stopping.aborted) {
    const credits = await isolateSessions(context, {
      run: () => creditIntervals(db, { shard, ...range }),
      sessions: () => dueSessions(db, { shard, ...range }),
      runFor: (sessionIds) => creditIntervals(db, { shard, sessionIds }),
    })
    if (credits.length === 0) return
    creditsTotal.inc(credits.length)
    const memberIds = [...new Set(credits.map(({ userId }) => userId))]
    // The credit stands; a member whose push is lost sees it with the next poll or refetch.
    await publishMembers(redis, config.redisPrefix, memberIds, ['mining', 'wallet']).catch(
      (error) => log.warn({ err: error }, 'credits were not announced'),
    )
  }
}
