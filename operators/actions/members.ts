import type { Knex } from 'knex'
import { descriptionSql } from '#db/ledger/credit-sql'
import { lockMember } from '#db/members/execute-once'
import { type MemberRow, memberByIdentifier } from '#db/members/members'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { bucketOf, memberKey } from '#rules/buckets'
import { normalizeReferralCode } from '#rules/members/referral-code'
import { emailKey, usernameKey } from '#rules/members/usernames-and-emails'
import type { Money } from '#rules/money/money'
import { notFound } from './action-log.ts'

/** A member's id as operators type it. A user name cannot contain the colon. */
const ID = /^id:(\d{1,9})$/

const idIn = (name: string): number | undefined => {
  const [, id] = ID.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Accepts a user name, an e-mail address or `id:71`. @throws {RuleError} `not_found`, even for a deleted member */
export async function memberNamed(db: Db, name: string): Promise<MemberRow> {
  const id = idIn(name)
  const member: MemberRow | undefined =
    id === undefined
      ? await memberByIdentifier(db, name)
      : await db('users').where({ id, deletedAt: null }).first()
  if (!member) throw notFound('member')
  return member
}

/** The member under the lock: a deletion has ended or follows. @throws {RuleError} `not_found` for a deleted member */
export async function lockKnownMember(tx: Tx, id: number): Promise<MemberRow> {
  await lockMember(tx, id)
  return memberNamed(tx, `id:${id}`)
}

/** `id:71` names a deleted member too, whose rows operators may read. @throws {RuleError} `not_found` */
export async function idOfMember(db: Db, name: string): Promise<number> {
  const id = idIn(name)
  if (id === undefined) return (await memberNamed(db, name)).id
  const member = await db('users').where({ id }).first('id')
  if (!member) throw notFound('member')
  return member.id
}

const FOUND_MEMBERS = 50

export type FoundMember = {
  id: number
  username: string
  email: string
  signedUpAt: Date
  frozenAt: Date | null
}

type FoundMembers = { members: FoundMember[]; next?: string }

const members = (db: Db) =>
  db('users')
    .whereNull('deletedAt')
    .limit(FOUND_MEMBERS + 1)
    .select('id', 'username', 'email', 'createdAt as signedUpAt', 'frozenAt')

const exactly = (db: Db, text: string) =>
  members(db)
    .where({ id: idIn(/^\d/.test(text) ? `id:${text}` : text) ?? 0 })
    .orWhere({ deletedAt: null, referralCode: normalizeReferralCode(text) })
    .orderBy('id')

type Folded = 'usernameKey' | 'emailKey'

/** Reads the index `users_name_prefix` or `users_email_prefix`, in the order of the keys' bytes. */
const beginning = (db: Db, column: Folded, prefix: string, after: string) =>
  members(db)
    .whereRaw(`?? collate "C" ${after === '' ? '>=' : '>'} ?`, [column, after || prefix])
    .whereRaw('?? collate "C" < ?', [column, `${prefix}\u{10ffff}`])
    .orderByRaw('?? collate "C"', [column])

const placeBehind = (by: Folded, { username, email }: FoundMember) =>
  by === 'usernameKey' ? `name:${usernameKey(username)}` : `email:${emailKey(email)}`

/**
 * Searches by id, referral code, and the beginning of user name and e-mail address. Each page reads what it shows.
 * @param after `next` of the page before
 */
export async function findMembers(db: Db, text: string, after = ''): Promise<FoundMembers> {
  const sought = text.trim()
  if (sought === '') return { members: [] }
  const [, list = '', key = ''] = /^(name|email):(.*)$/su.exec(after) ?? []
  const found: { by: Folded | 'exact'; member: FoundMember }[] = []
  const add = (by: Folded | 'exact', rows: FoundMember[]) => {
    const known = new Set(found.map(({ member }) => member.id))
    found.push(...rows.filter(({ id }) => !known.has(id)).map((member) => ({ by, member })))
  }
  if (list === '') add('exact', await exactly(db, sought))
  if (list !== 'email') {
    add('usernameKey', await beginning(db, 'usernameKey', usernameKey(sought), key))
  }
  if (found.length <= FOUND_MEMBERS) {
    const from = list === 'email' ? key : ''
    const byEmail = beginning(db, 'emailKey', emailKey(sought), from)
    // Pages before have shown them.
    byEmail.whereRaw('not starts_with("usernameKey", ?)', [usernameKey(sought)])
    add('emailKey', await byEmail)
  }
  const page = found.slice(0, FOUND_MEMBERS)
  const last = page.at(-1)
  const shown = page.map(({ member }) => member)
  if (found.length <= FOUND_MEMBERS || !last || last.by === 'exact') return { members: shown }
  return { members: shown, next: placeBehind(last.by, last.member) }
}

/** Amounts are exact decimals. */
export type MemberFacts = Record<string, string | number | boolean | Date | null>

/** A deleted member is shown under the pseudonym. */
const FACTS_SQL = `
  select u.id, u.username, u.email, u."fullName", u.phone, u."createdAt" as "signedUpAt",
    u."deletedAt", u."frozenAt", u."frozenReason", u."kycStatus" as "identityStatus",
    u."referralCode", u."referralFrozenReason" as "codeFrozenReason", u."referredBy",
    (select reason from refused_addresses r where r."recipientKey" = u."emailKey") as "mailRefused",
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

export async function memberFacts(db: Db, memberId: number): Promise<MemberFacts> {
  const { rows } = await db.raw(FACTS_SQL, { memberId, bucket: bucketOf(memberId) })
  return rows[0]
}

export type LedgerLine = {
  id: string
  at: Date
  type: string
  amount: Money
  token: string
  balanceAfter: Money
  description: string
}

/** Callers may narrow the query. */
export const ledgerOf = (
  db: Db,
  memberId: number,
  limit: number,
): Knex.QueryBuilder<object, LedgerLine[]> =>
  db('wallet_activity')
    .where(memberKey(memberId))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit)
    .select('id', 'createdAt as at', 'type', 'amount', 'tokenType as token', 'balanceAfter')
    .select({ description: db.raw(descriptionSql('wallet_activity')) })

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

export async function sessionsOf(db: Db, memberId: number, limit: number): Promise<SessionLine[]> {
  return db('mining_sessions')
    .where(memberKey(memberId))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'startTime as startedAt', 'endTime as endedAt', 'status', 'hashRate as rate')
    .select('creditedIntervals', 'reward', 'usdtReward', 'quarantineReason')
}
