import type { SessionRef } from '#db/ledger/bucket-range-sql'
import { quarantineSessions } from '#db/mining/quarantine'
import { bisect, isRowError } from '#db/postgres/statements/bisect'
import { retrying } from '#db/postgres/statements/transaction'
import type { Context } from '#workers/job'

/** A set-based statement over sessions, and the same one for a list of sessions. */
type SessionBatch<R> = {
  run(): Promise<R>
  sessions(): Promise<SessionRef[]>
  runFor(sessions: SessionRef[]): Promise<R>
}

/**
 * Runs the batch as one statement. If a row breaks it, bisects the batch and quarantines the offending sessions.
 * @throws errors that no row causes: connection, resources, repeated deadlocks
 */
export async function isolateSessions<R>(
  { db, log }: Context,
  { run, sessions, runFor }: SessionBatch<R>,
): Promise<R[]> {
  let failure: unknown
  try {
    return [await retrying(run)]
  } catch (error) {
    if (!isRowError(error)) throw error
    failure = error
    log.warn({ err: error }, 'session batch failed; dividing it to isolate the offending sessions')
  }
  const candidates = await sessions()
  // No session can be the cause, and the batch would fail again.
  if (candidates.length === 0) throw failure
  const { results, offenders } = await bisect(candidates, (part) => retrying(() => runFor(part)))
  for (const session of await quarantineSessions(db, offenders, candidates.length)) {
    log.error(session, 'session quarantined; see `npm run ops -- quarantine list`')
  }
  return results
}
