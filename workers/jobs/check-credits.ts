import { findMissedCredits } from '#db/mining/missed-credits'
import type { Handler } from '#workers/context'

/** Makes the sweeps credit again what they missed; reads all running sessions. */
export const checkCredits: Handler<'check-credits'> = async ({ db, log }) => {
  const shards = await findMissedCredits(db)
  if (shards.length > 0)
    log.warn({ shards }, 'sweeps missed intervals; the next sweeps credit them')
}
