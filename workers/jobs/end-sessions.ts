import { endSessions } from '#db/mining/sessions'
import type { Handler } from '#workers/context'

/** Ends the sessions whose 24 hours are over and whose 72 intervals are credited. */
export const endSessionsDue: Handler<'end-sessions'> = async ({ db, changes }) => {
  await changes.publishMembers(await endSessions(db), ['mining'])
}
