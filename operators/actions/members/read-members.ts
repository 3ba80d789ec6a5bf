import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'

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
