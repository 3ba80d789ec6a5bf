import { endSessions, endTheseSessions, finishedSessions } from '#db/mining/sessions'
import type { Handler } from '#workers/context'
import { isolateSessions } from './isolate-sessions.ts'

/** Ends the sessions whose 24 hours are over and whose 72 intervals are credited. */
export const endSessionsDue: Handler<'end-sessions'> = async (context) => {
  const { db, changes } = context
  const ended = await isolateSessions(context, {
    run: () => endSessions(db),
    sessions: () => finishedSessions(db),
    runFor: (sessions) => endTheseSessions(db, sessions),
  })
  await changes.publishMembers(ended.flat(), ['mining'])
}
