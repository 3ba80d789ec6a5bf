import { descriptionSql } from '#db/ledger/credit-sql'
import { type MemberRow, memberByIdentifier } from '#db/members/members'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf, memberKey } from '#rules/buckets'
import type { Money } from '#rules/money/money'
import { notFound } from './action-log.ts'

/** A member's id as operators type it. A user name cannot contain the colon. */
const ID = /^id:(\d{1,9})$/

const idIn = (name: string): number | undefined => {
  const [, id] = ID.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

/**
 * The member whom an operator names by user name, e-mail address or `id:71`.
 * @throws {RuleError} `not_found`, even for a deleted member
 */
export async function memberNamed(db: Db, name: string): Promise<MemberRow> {
  const id = idIn(name)
  const member: MemberRow | undefined =
    id === undefined
      ? await memberByIdentifier(db, name)
      : await db('users').where({ id, deletedAt: null }).first()
  if (!member) throw notFound('member')
  return member
}

/**
 * The id of a member named in the same way. `id:71` names a deleted member too, whose rows operators
 * may read.
 * @throws {RuleError} `not_found`
 */
export async function idOfMember(db: Db, name: string): Promise<number> {
  const id = idIn(name)
  if (id === undefined) return (await memberNamed(db, name)).id
  const member = await db('users').where({ id }).first('id')
  if (!member) throw notFound('member')
  return member.id
}

/** Members in one answer of `findMembers`. */
const FOUND_MEMBERS = 50

/** A member in a list of operators. */
export type FoundMember = {
  id: number
  username: string
  email: string
  signedUpAt: Date
  frozenAt: Date | null
}

/** Members whose user name, e-mail address or referral code contains the text, ignoring case. */
export async function findMembers(db: Db, text: string): Promise<FoundMember[]> {
  const pattern = `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  return db('users')
    .whereNull('deletedAt')
    .whereRaw(
      `("usernameKey" like :pattern or "emailKey" like :pattern
      or lower("referralCode") like :pattern)`,
      { pattern },
    )
    .orderBy('id')
    .limit(FOUND_MEMBERS)
    .select('id', 'username', 'email', 'createdAt as signedUpAt', 'frozenAt')
}

/** What operators see of one member; amounts are exact decimals. */
export type MemberFacts = Record<string, string | number | boolean | Date | null>

/** A deleted member is shown under the pseudonym. */
const FACTS_SQL = `
  select u.id, u.username, u.email, u."fullName", u.phone, u."createdAt" as "signedUpAt",
    u."deletedAt", u."frozenAt", u."frozenReason", u."kycStatus" as "identityStatus",
    u."referralCode", u."referralFrozenReason" as "codeFrozenReason", u."referredBy",
    u."teamSize", u."teamLevel", u."miningBoost",
    w.balance as tesp, w."usdtBalance" as usdt, m."pendingRewards" as "pendingTesp",
    m."pendingUsdtRewards" as "pendingUsdt", m."totalMined", m."lastClaimTime" as "lastClaimAt",
    s.id as "runningSession", s."startTime" as "runningSince",
    s."creditedIntervals", s."quarantineReason",
    (select count(*) from passkeys p where p."userId" = u.id) as passkeys,
    f."confirmedAt" as "oneTimeCodesSince", cardinality(f."recoveryHashes") as "recoveryCodesLeft"
  from users u
  join wallets w on w.bucket = :bucket and w."userId" = u.id
  join mining_stats m on m.bucket = :bucket and m."userId" = u.id
  left join mining_sessions s on s.bucket = :bucket and s."userId" = u.id and s.active
  left join second_factors f on f."userId" = u.id and f."confirmedAt" is not null
  where u.id = :memberId`

/** Account, balances, team, running session and ways to sign in of an existing member. */
export async function memberFacts(db: Db, memberId: number): Promise<MemberFacts> {
  const { rows } = await db.raw(FACTS_SQL, { memberId, bucket: bucketOf(memberId) })
  return rows[0]
}

/** A ledger row as operators see it. */
export type LedgerLine = {
  id: string
  at: Date
  type: string
  amount: Money
  token: string
  balanceAfter: Money
  description: string
}

/** The newest ledger rows of a member, newest first. */
export async function ledgerOf(db: Db, memberId: number, limit: number): Promise<LedgerLine[]> {
  return db('wallet_activity')
    .where(memberKey(memberId))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit)
    .select('id', 'createdAt as at', 'type', 'amount', 'tokenType as token', 'balanceAfter')
    .select({ description: db.raw(descriptionSql('wallet_activity')) })
}

/** A mining session as operators see it. */
export type SessionLine = {
  id: number
  startedAt: Date
  endedAt: Date | null
  status: string
  rate: Money
  creditedIntervals: number
  reward: Money
  usdtReward: Money
  quarantineReason: string | null
}

/** The newest sessions of a member, newest first. */
export async function sessionsOf(db: Db, memberId: number, limit: number): Promise<SessionLine[]> {
  return db('mining_sessions')
    .where(memberKey(memberId))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'startTime as startedAt', 'endTime as endedAt', 'status', 'hashRate as rate')
    .select('creditedIntervals', 'reward', 'usdtReward', 'quarantineReason')
}
