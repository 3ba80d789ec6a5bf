import { randomBytes } from 'node:crypto'
import { post } from '#db/ledger/ledger'
import { rerateSession } from '#db/mining/sessions'
import { productNow } from '#db/postgres/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/transaction'
import { DELETED_MEMBER } from '#rules/deleted-member'
import { MILESTONES, type Milestone, milestonesReached } from '#rules/milestones'
import { fromUnits, type Money, sum, times, toUnits } from '#rules/money'
import { REFERRAL_LENGTH, referralCodeOf } from '#rules/referral-code'
import type { MilestoneCheck, ReferralInfo, TeamMember, TeamReward } from '#rules/snapshots'

const UNIQUE_VIOLATION = '23505'

type MemberRow = {
  id: number
  username: string
  email: string
  createdAt: Date
  deletedAt: Date | null
}

/** Members of the team, newest first; `before` is the id of the last one of the page before. */
export async function readTeamMembers(
  db: Db,
  memberId: number,
  limit: number,
  before?: number,
): Promise<TeamMember[]> {
  const rows: MemberRow[] = await db('users')
    .where({ referredBy: memberId })
    .modify((query) => (before === undefined ? query : query.where('id', '<', before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'username', 'email', 'createdAt', 'deletedAt')
  return rows.map(({ createdAt, deletedAt, ...row }) => ({
    ...row,
    ...(deletedAt && { username: DELETED_MEMBER, email: '' }),
    createdAt: createdAt.toISOString(),
  }))
}

async function readTeamRewards(db: Db, memberId: number): Promise<TeamReward[]> {
  const rows: { id: number; reason: string; amount: Money; createdAt: Date }[] = await db(
    'usdt_rewards',
  )
    .where({ userId: memberId })
    .orderBy('id', 'desc')
  return rows.map(({ id, reason, amount, createdAt }) => {
    return { id, reason, amount: Number(amount), createdAt: createdAt.toISOString() }
  })
}

/**
 * Names the state of a member's team: each thing that the Team screen shows changes one of these,
 * so that an unchanged poll need not read the lists.
 */
export async function readTeamVersion(db: Db, memberId: number): Promise<string> {
  const columns = ['referralCode', 'referralFrozenReason', 'referredBy', 'teamSize', 'teamLevel']
  const row = await db('users as u')
    .leftJoin('users as r', 'r.id', 'u.referredBy')
    .where('u.id', memberId)
    .first(
      ...columns.map((column) => `u.${column}`),
      'r.deletedAt as referrerDeletedAt',
      db('users as t')
        .where('t.referredBy', memberId)
        .whereNotNull('t.deletedAt')
        .max('t.deletedAt')
        .as('memberDeletedAt'),
    )
  return JSON.stringify(row)
}

function referrerOf(row: { referrer: string | null; referrerDeletedAt: Date | null }) {
  if (row.referrer === null) return null
  return { username: row.referrerDeletedAt ? DELETED_MEMBER : row.referrer }
}

/** All that the Team screen shows, with the newest `limit` members of the team. */
export async function readReferralInfo(
  db: Db,
  memberId: number,
  limit: number,
): Promise<ReferralInfo> {
  const member = await db('users as u')
    .leftJoin('users as r', 'r.id', 'u.referredBy')
    .where('u.id', memberId)
    .first(
      ...['u.referralCode', 'u.referralFrozenReason', 'u.teamSize', 'u.miningBoost', 'u.teamLevel'],
      ...['r.username as referrer', 'r.deletedAt as referrerDeletedAt'],
      db.raw('(extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"'),
    )
  const view = (milestone: Milestone, index: number) => {
    return { ...milestone, achieved: index < member.teamLevel }
  }
  return {
    referralCode: member.referralCode,
    frozenReason: member.referralFrozenReason,
    referrer: referrerOf(member),
    teamSize: member.teamSize,
    miningBoost: Number(member.miningBoost),
    milestones: MILESTONES.map(view),
    teamMembers: await readTeamMembers(db, memberId, limit),
    usdtRewards: await readTeamRewards(db, memberId),
    asOf: member.asOf,
  }
}

/** Gives the member a referral code; one who has a code keeps it. */
export async function generateReferralCode(tx: Tx, memberId: number): Promise<string> {
  for (;;) {
    const referralCode = referralCodeOf(randomBytes(REFERRAL_LENGTH))
    try {
      // A savepoint, so that a code that exists already costs another draw and not the transaction.
      await tx.transaction((inner) =>
        inner('users').where({ id: memberId, referralCode: null }).update({ referralCode }),
      )
      return (await tx('users').where({ id: memberId }).first('referralCode')).referralCode
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
}

async function payMilestone(tx: Tx, member: Payee, milestone: Milestone): Promise<Money> {
  const { members, reward, usdtRate } = milestone
  const usdt = times(reward, usdtRate)
  const { id: userId, at } = member
  const id = `milestone:${userId}:${members}`
  const description = `Team milestone: ${members} members`
  const entry = { userId, at, type: 'other' as const, description }
  await post(tx, { ...entry, id: `${id}:TESP`, token: 'TESP', amount: reward })
  await post(tx, { ...entry, id: `${id}:USDT`, token: 'USDT', amount: usdt, type: 'usdt_reward' })
  await tx('team_milestones').insert({
    userId,
    milestone: members,
    achieved: true,
    rewardAmount: reward,
    achievedAt: tx.fn.now(),
  })
  await tx('usdt_rewards').insert({
    userId,
    amount: reward,
    reason: description,
    teamSize: member.teamSize,
  })
  return usdt
}

type Payee = { id: number; teamSize: number; teamLevel: number; miningBoost: Money; at: number }

/**
 * Pays every milestone that the team has newly reached, all at once; the USDT rate of the highest
 * one counts for mining from now on (rules.md: Team).
 */
export async function checkMilestones(tx: Tx, memberId: number): Promise<MilestoneCheck> {
  // No key changes: a stronger lock would wait for each request that has noted its key for a repetition.
  const member: Payee = await tx('users').where({ id: memberId }).forNoKeyUpdate().first()
  const reached = milestonesReached(member.teamSize)
  const fresh = reached.slice(member.teamLevel)
  if (fresh.length === 0) return { success: true, usdtRewarded: 0, newMilestones: [] }
  const at = await productNow(tx)
  // The session first, then the wallet: the order of locks that every writer keeps.
  const teamLevel = reached.length
  await tx('users').where({ id: memberId }).update({ teamLevel })
  await rerateSession(tx, { ...member, teamLevel }, at)
  const newMilestones: MilestoneCheck['newMilestones'] = []
  for (const milestone of fresh) {
    const usdt = await payMilestone(tx, { ...member, at }, milestone)
    const reward = fromUnits(toUnits(milestone.reward))
    newMilestones.push({ members: milestone.members, reward, usdt })
  }
  const usdtRewarded = Number(sum(...newMilestones.map(({ usdt }) => usdt)))
  return { success: true, usdtRewarded, newMilestones }
}
