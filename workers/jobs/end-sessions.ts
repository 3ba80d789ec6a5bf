import { endSessions, endSessionsByIds, finishedSessions } from '#db/mining/sessions'
import { publishMembers } from '#db/process/change-channel'
import type { Handler } from '#workers/context'
import { isolateSessions } from './isolate-sessions.ts'

/** Ends what ran its 24 hours and was credited for all of them. */
export const endSessionsDue: Handler<'end-sessions'> = async (context) => {
  const { db, redis, config, log } = context
  const memberIds = await isolateSessions(context, {
    run: () => endSessions(db),
    sessions: () => finishedSessions(db),
    runFor: (sessionIds) => endSessionsByIds(db, sessionIds),
  })
  await publishMembers(redis, config.redisPrefix, memberIds, ['mining']).catch((error) =>
    log.warn({ err: error }, 'ended sessions were not announced'),
  )
}
