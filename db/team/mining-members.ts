import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import type { TeamMining } from '#rules/snapshots'

/** `users_referred_by` finds the team, and `mining_sessions_one_active` the session of each member. */
const MINING_SQL = `
  select u.id, (count(*) over ())::int as total
  from users u join mining_sessions s
    on s.bucket = ${bucketSql('u.id')} and s."userId" = u.id and s.active
  where u."referredBy" = :memberId
  order by u.id desc limit :limit`

/**
 * The direct members of a team whose session is running: their number, and the ids of the newest
 * `limit` of them. The deletion of a member ends the session, so no deleted member is among them.
 */
export async function readMiningMembers(
  db: Db,
  memberId: number,
  limit: number,
): Promise<TeamMining> {
  const { rows } = await db.raw(MINING_SQL, { memberId, limit })
  const found: { id: number; total: number }[] = rows
  return { total: found[0]?.total ?? 0, memberIds: found.map(({ id }) => id) }
}
