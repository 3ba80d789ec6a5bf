import { engineOf } from '#db/engine/engine'
import { endSessions, endTheseSessions, finishedSessions } from '#db/mining/end-sessions'
import { forEachRange } from '#db/mining/sweep'
import type { Handler } from '#workers/job'
import { isolateSessions } from './isolate-sessions.ts'

/** Ends the sessions whose 24 hours are over and whose 72 intervals are credited. */
export const endSessionsDue: Handler<'end-sessions'> = async (context) => {
  const { db, changes } = context
  await forEachRange(await (await engineOf(db)).rangesOfStatement(db), async (range) => {
    const ended = await isolateSessions(context, {
      run: () => endSessions(db, range),
      sessions: () => finishedSessions(db, range),
      runFor: (sessions) => endTheseSessions(db, sessions, range),
    })
    await changes.publishMembers(ended.flat(), ['mining', 'inbox'])
    return false
  })
}
