import { prepared } from '#db/postgres/statements/prepared'
import { epochMs, isoTimes } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql, memberKey } from '#rules/buckets'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { MILESTONES } from '#rules/money/milestones'
import type { ReferralInfo, TeamMember, TeamMining, TeamReward } from '#rules/snapshots'
import { readWakes } from './wake.ts'

/** Team members, newest first; `before` is the last id of the previous page. */
export async function readTeamMembers(
  db: Db,
  memberId: number,
  limit: number,
  before?: number,
): Promise<TeamMember[]> {
  const rows: { deletedAt: Date | null }[] = await db('users')
    .where({ referredBy: memberId })
    .modify((query) => (before === undefined ? query : query.where('id', '<', before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'username', 'email', 'createdAt', 'deletedAt')
  return rows.map(({ deletedAt, ...row }) => ({
    ...isoTimes<TeamMember>(row),
    ...(deletedAt && { username: DELETED_MEMBER, email: '' }),
  }))
}

async function readTeamRewards(db: Db, memberId: number): Promise<TeamReward[]> {
  const rows = await db('usdt_rewards')
    .where(memberKey(memberId))
    .orderBy('id', 'desc')
    .select('id', 'reason', db.raw('amount::float8 as amount'), 'createdAt')
  return rows.map(isoTimes<TeamReward>)
}

const VERSION_SQL = `
  select u."authEpoch", u."referralCode", u."referralFrozenReason", u."referredBy", u."teamSize",
    u."teamLevel", r."deletedAt" as "referrerDeletedAt",
    (select max(t."deletedAt") from users t
     where t."referredBy" = u.id and t."deletedAt" is not null) as "memberDeletedAt",
    (select sum(epoch) from (
      select t."authEpoch" as epoch from users t where t."referredBy" = u.id order by t.id desc limit :limit
    ) newest) as "memberEpochs"
  from users u left join users r on r.id = u."referredBy" where u.id = :memberId`

/**
 * Version of the Team screen for its ETag: a poll of an unchanged team reads no lists. It holds the members' epochs,
 * with which addresses change. The member's own epoch comes with it, so that the sign-in needs no query.
 */
export async function readTeamVersion(
  db: Db,
  memberId: number,
  limit: number,
): Promise<{ authEpoch: number; version: string } | undefined> {
  const { rows } = await prepared(db, 'team-version', VERSION_SQL, { memberId, limit })
  const [row] = rows
  if (!row) return undefined
  const { authEpoch, ...facts } = row
  return { authEpoch, version: JSON.stringify(facts) }
}

const INFO_SQL = `
  select u."referralCode", u."referralFrozenReason" as "frozenReason", u."teamSize", u."teamLevel",
    u."miningBoost"::float8 as "miningBoost", ${epochMs('statement_timestamp()')} as "asOf",
    case when r.id is not null then json_build_object('username',
      case when r."deletedAt" is null then r.username else '${DELETED_MEMBER}' end) end as referrer
  from users u left join users r on r.id = u."referredBy" where u.id = :memberId`

/** Everything that the Team screen shows, with the newest `limit` team members. */
export async function readReferralInfo(
  db: Db,
  memberId: number,
  limit: number,
): Promise<ReferralInfo> {
  const { rows } = await db.raw(INFO_SQL, { memberId })
  const { referralCode, frozenReason, referrer, teamSize, teamLevel, miningBoost, asOf } = rows[0]
  return {
    ...{ referralCode, frozenReason, referrer, teamSize, miningBoost },
    milestones: MILESTONES.map((one, index) => ({ ...one, achieved: index < teamLevel })),
    teamMembers: await readTeamMembers(db, memberId, limit),
    usdtRewards: await readTeamRewards(db, memberId),
    asOf,
  }
}

/** `users_referred_by` finds the team, and `mining_sessions_one_active` the session of each member. */
const MINING_SQL = `
  select u.id, (count(*) over ())::int as total
  from users u join mining_sessions s
    on s.bucket = ${bucketSql('u.id')} and s."userId" = u.id and s.active
  where u."referredBy" = :memberId
  order by u.id desc limit :limit`

/** Direct members whose session runs, and those to remind; a deletion ends the session, so none is deleted. */
export async function readMiningMembers(
  db: Db,
  memberId: number,
  limit: number,
): Promise<TeamMining> {
  const { rows } = await db.raw(MINING_SQL, { memberId, limit })
  const found: { id: number; total: number }[] = rows
  const memberIds = found.map(({ id }) => id)
  return { total: found[0]?.total ?? 0, memberIds, ...(await readWakes(db, memberId, limit)) }
}
