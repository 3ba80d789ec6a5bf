import { findMissedCredits } from '#db/mining/credit-lag'
import type { Handler } from '#workers/job'

/** Makes the sweeps credit again what they missed; reads all running sessions. */
export const checkCredits: Handler<'check-credits'> = async ({ db, log }) => {
  const firstBuckets = await findMissedCredits(db)
  if (firstBuckets.length > 0)
    log.warn({ firstBuckets }, 'sweeps missed intervals; the next sweeps credit them')
}
