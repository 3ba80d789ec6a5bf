import { forEachScope, sweepScopes } from '#db/ledger/sweep-ranges'
import { endSessions, endTheseSessions, finishedSessions } from '#db/mining/end-sessions'
import type { Handler } from '#workers/job'
import { isolateSessions } from './isolate-sessions.ts'

/** Ends the sessions whose 24 hours are over and whose 72 intervals are credited. */
export const endSessionsDue: Handler<'end-sessions'> = async (context) => {
  const { db, changes } = context
  await forEachScope(await sweepScopes(db), async (scope) => {
    const ended = await isolateSessions(context, {
      run: () => endSessions(db, scope),
      sessions: () => finishedSessions(db, scope),
      runFor: (sessions) => endTheseSessions(db, sessions, scope),
    })
    await changes.publishMembers(ended.flat(), ['mining'])
    return false
  })
}
