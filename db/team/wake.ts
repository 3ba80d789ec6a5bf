import { writeInbox } from '#db/inbox/inbox'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { memberKey } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import type { TeamMining } from '#rules/snapshots'

const TODAY = `(now() at time zone 'UTC')::date`

const ALLOWED = `p.team and p."inviterBlockedAt" is null and u."frozenAt" is null`

/** A member has one inviter, so the day in the row is that of the pair. Citus wants it as a value. */
const REMIND_SQL = `
  update reminder_preferences p set "remindedOn" = :today::date from users u
  where p."userId" = :memberId and u.id = p."userId" and u."referredBy" = :inviterId
    and ${ALLOWED} and p."remindedOn" is distinct from :today::date`

/** Undefined for anybody but a direct member, and for a deleted one. */
async function directMember(
  tx: Tx,
  inviterId: number,
  memberId: number,
): Promise<{ today: string; isReminded: boolean } | undefined> {
  return tx('users as u')
    .leftJoin('reminder_preferences as p', 'p.userId', 'u.id')
    .where({ 'u.id': memberId, 'u.referredBy': inviterId, 'u.deletedAt': null })
    .first({
      today: tx.raw(`${TODAY}::text`),
      isReminded: tx.raw(`coalesce(p."remindedOn" = ${TODAY}, false)`),
    })
}

/**
 * Reminds a direct member to mine, once a UTC day, by a row of the inbox that names the inviter. Switched
 * off, blocked and frozen have one answer, so that it tells nothing. A deletion meanwhile waits for the row of the
 * preferences, and then deletes what was written.
 * @throws {RuleError} `not_found` unless it is a direct member; `member_mining`; `reminder_repeated`;
 * `reminder_refused`
 */
export async function wakeMember(tx: Tx, inviterId: number, memberId: number): Promise<void> {
  const member = await directMember(tx, inviterId, memberId)
  if (!member) throw new RuleError('not_found', API_TEXTS.notFound)
  const running = await tx('mining_sessions')
    .where({ ...memberKey(memberId), active: true })
    .first('id')
  if (running) throw new RuleError('member_mining', 'This member is mining already')
  const { today } = member
  const { rowCount } = await tx.raw(REMIND_SQL, { memberId, inviterId, today })
  if (rowCount === 0) throw await refusal(tx, inviterId, memberId)
  const fact = `${inviterId}:${today}`
  await writeInbox(tx, { memberId, kind: 'team-reminder', fact, facts: { memberId: inviterId } })
}

/** Read again: another request may have sent the reminder meanwhile. */
async function refusal(tx: Tx, inviterId: number, memberId: number): Promise<RuleError> {
  const member = await directMember(tx, inviterId, memberId)
  return member?.isReminded
    ? new RuleError('reminder_repeated', 'You have reminded this member today')
    : new RuleError('reminder_refused', 'This member takes no reminders')
}

const WAKES_SQL = `
  select u.id, p."remindedOn" is not distinct from ${TODAY} as "isReminded"
  from users u join reminder_preferences p on p."userId" = u.id
  where u."referredBy" = :inviterId and (${ALLOWED} or p."remindedOn" = ${TODAY})
  order by u.id desc limit :limit`

/** The newest direct members to remind, and those reminded today, even if they have blocked the inviter since. */
export async function readWakes(
  db: Db,
  inviterId: number,
  limit: number,
): Promise<Pick<TeamMining, 'wakeable' | 'reminded'>> {
  const { rows } = await db.raw(WAKES_SQL, { inviterId, limit })
  const found: { id: number; isReminded: boolean }[] = rows
  const ids = (isReminded: boolean) =>
    found.filter((row) => row.isReminded === isReminded).map(({ id }) => id)
  return { wakeable: ids(false), reminded: ids(true) }
}
