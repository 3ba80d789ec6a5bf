import { endSessions } from '#db/mining/sessions'
import { publishMembers } from '#db/process/change-channel'
import type { Handler } from '#workers/context'

/** Ends what ran its 24 hours and was credited for all of them. */
export const endSessionsDue: Handler<'end-sessions'> = async ({ db, redis, config, log }) => {
  const memberIds = await endSessions(db)
  await publishMembers(redis, config.redisPrefix, memberIds, ['mining']).catch((error) =>
    log.warn({ err: error }, 'ended sessions were not announced'),
  )
}
