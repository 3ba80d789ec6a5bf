import type { SessionRef } from '#db/ledger/bucket-range-sql'
import { isRowError, type Offender } from '#db/postgres/statements/bisect'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import { stopIfActive } from './mining.ts'
import { rerateSession } from './sessions.ts'

type QuarantinedSession = SessionRef & { quarantinedAt: Date; quarantineReason: string }

/** If more than this and at least half of a batch fail, the statement is to blame. */
const MAX_OFFENDERS = 8

/** The constraint or error that Postgres named; never the values of the row. */
function reasonOf(error: unknown): string {
  const { code, constraint, message } = error as { code?: string; constraint?: string } & Error
  // Knex puts the statement before the message of Postgres.
  const [, text = message] = / - ([^-]*)$/.exec(message) ?? []
  return `${code ?? 'unknown'}: ${constraint ?? text}`.slice(0, 300)
}

/** Quarantines sessions that failed alone. @throws the first error if so many failed that they cannot be the cause */
export async function quarantineSessions(
  db: Db,
  offenders: Offender<SessionRef>[],
  batchSize: number,
): Promise<QuarantinedSession[]> {
  if (offenders.length > MAX_OFFENDERS && offenders.length * 2 >= batchSize) {
    throw offenders[0]?.error
  }
  const quarantined: QuarantinedSession[] = []
  for (const { item, error } of offenders) {
    const rows = await db('mining_sessions')
      .where({ ...memberKey(item.userId), id: item.sessionId, active: true })
      .whereNull('quarantinedAt')
      .update({ quarantinedAt: db.fn.now(), quarantineReason: reasonOf(error) })
      .returning([db.ref('id').as('sessionId'), 'userId', 'quarantinedAt', 'quarantineReason'])
    quarantined.push(...rows)
  }
  return quarantined
}

/** All quarantined sessions, oldest first. */
export function listQuarantined(db: Db): Promise<QuarantinedSession[]> {
  return db('mining_sessions')
    .whereNotNull('quarantinedAt')
    .orderBy('quarantinedAt')
    .select(db.ref('id').as('sessionId'), 'userId', 'quarantinedAt', 'quarantineReason')
}

/** Number of quarantined sessions, for the alarm. */
export async function countQuarantined(db: Db): Promise<number> {
  const [row] = await db('mining_sessions').whereNotNull('quarantinedAt').count({ count: '*' })
  return Number(row?.count ?? 0)
}

/**
 * Ends a quarantine: credits what the session missed, applies its member's current rates, and stops it if the
 * member is frozen. Returns the member's id.
 * @throws {RuleError} `not_found`; `bad_input` if the session still fails, which keeps it quarantined
 */
export async function releaseSession(tx: Tx, sessionId: number, now: number): Promise<number> {
  const session = () => tx('mining_sessions').where({ id: sessionId }).whereNotNull('quarantinedAt')
  const found = await session().first('userId')
  // The user's lock comes before the session's, as in a join of the member's team.
  const member = await tx('users')
    .where({ id: found?.userId ?? 0 })
    .forShare()
    .first('id', 'miningBoost', 'teamLevel', 'frozenAt')
  const released = await session().update({ quarantinedAt: null, quarantineReason: null })
  if (!member || released === 0) {
    throw new RuleError('not_found', `Session ${sessionId} is not quarantined`)
  }
  try {
    await rerateSession(tx, member, now)
    if (member.frozenAt) await stopIfActive(tx, member.id)
  } catch (error) {
    if (!isRowError(error)) throw error
    const why = `Session ${sessionId} still fails and stays quarantined: ${reasonOf(error)}`
    throw new RuleError('bad_input', why)
  }
  return member.id
}
