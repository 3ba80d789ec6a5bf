import { bucketSql } from '#rules/buckets'
import { BOOST_PER_MEMBER } from '#rules/constants'

/** Tables in which each row carries the bucket of its member. */
export const BUCKETED = [
  'mining_sessions',
  'folded_sessions',
  'wallets',
  'mining_stats',
  'idempotency_keys',
  'completed_tasks',
  'team_milestones',
  'usdt_rewards',
  'inbox',
]

const misplacedRows = (table: string) => `
    select '${table}' as "table", "userId", bucket from ${table}
    where bucket is distinct from ${bucketSql('"userId"')}`

/** Rules that need no ledger row; each query returns the offending rows. */
export const MEMBER_RULES: Record<string, string> = {
  'no balance is negative': `
    select "userId", balance, "usdtBalance" from wallets where balance < 0 or "usdtBalance" < 0`,
  'one wallet and one stats row a member': `
    select u.id from users u left join wallets w on w."userId" = u.id
    left join mining_stats m on m."userId" = u.id where w.id is null or m.id is null`,
  'each row has the bucket of its member': BUCKETED.map(misplacedRows).join(' union all '),
  'one active session a member at most': `
    select "userId", count(*) from mining_sessions where active group by 1 having count(*) > 1`,
  'a frozen member has no running session': `
    select u.id, s.id as "sessionId" from users u
    join mining_sessions s on s.bucket = ${bucketSql('u.id')} and s."userId" = u.id and s.active
      and s."quarantinedAt" is null
    where u."frozenAt" is not null`,
  'a deleted member holds nothing personal and no active session': `
    select u.id from users u
    where u."deletedAt" is not null and (
      u.username <> 'deleted:' || u.id or u."usernameKey" <> 'deleted:' || u.id
      or u.email <> 'deleted:' || u.id or u."emailKey" <> 'deleted:' || u.id or u.password <> ''
      or num_nonnulls(u.phone, u."fullName", u.avatar, u."kycDocumentType", u."kycDocumentUrl",
        u."kycVerifiedAt", u."referralCode", u."referralFrozenReason", u."addressHash",
        u.language) > 0
      or u."kycStatus" <> 'unverified'
      or exists (select from mining_sessions s
        where s.bucket = ${bucketSql('u.id')} and s."userId" = u.id and s.active)
      or exists (select from kyc_documents d where d."userId" = u.id)
      or exists (select from avatars a where a."userId" = u.id)
      or exists (select from idempotency_keys k
        where k.bucket = ${bucketSql('u.id')} and k."userId" = u.id)
      or exists (select from inbox i
        where i.bucket = ${bucketSql('u.id')} and i."userId" = u.id)
      or exists (select from reminder_preferences p where p."userId" = u.id)
      or exists (select from push_subscriptions p where p."userId" = u.id)
      or exists (select from telegram_accounts t where t."userId" = u.id)
      or exists (select from passkeys p where p."userId" = u.id)
      or exists (select from second_factors f where f."userId" = u.id)
      or exists (select from member_notes n where n."userId" = u.id)
      or exists (select from correction_proposals c where c."userId" = u.id)
      or exists (select from suspicious_teams t where t."userId" = u.id)
      or exists (select from feature_flags f where u.id = any(f."enabledForUsers")))`,
}

/** Rules of tasks, which count claims across buckets. */
export const TASK_RULES: Record<string, string> = {
  'a task with a cap counts its claims': `
    select t.id, t.claimed, coalesce(c.claims, 0) as claims from tasks t
    left join (select "taskId", count(*) as claims from completed_tasks group by 1) c
      on c."taskId" = t.id
    where t.cap is not null and t.claimed <> coalesce(c.claims, 0)`,
}

/** Rules of users alone, who refer to each other across buckets. */
export const TEAM_RULES: Record<string, string> = {
  'teamSize counts the referred members, miningBoost is the same share of each': `
    select u.id, u."teamSize", u."miningBoost", count(r.id) as referred
    from users u left join users r on r."referredBy" = u.id
    group by u.id having u."teamSize" <> count(r.id)
      or u."miningBoost" <> ${BOOST_PER_MEMBER} * count(r.id)`,
  'one F1 reward a referred member': `
    select u.id, u."referredBy", count(f.id) as rewards from users u
    left join referral_rewards f on f."referredUserId" = u.id and f."userId" = u."referredBy"
    group by u.id having count(f.id) <> (case when u."referredBy" is null then 0 else 1 end)`,
  'the referral graph has no cycle': `
    with recursive above as (
      select id as start, "referredBy" as at from users where "referredBy" is not null
      union
      select a.start, u."referredBy" from above a join users u on u.id = a.at
      where u."referredBy" is not null
    ) select start from above where start = at`,
}
