import type { Db } from '#db/postgres/transaction'
import { INTERVAL_MS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/ledger-id'
import { intervalEndSql } from './interval-sql.ts'

/** A broken rule of the economy and the rows that break it, at most ten. */
export type AuditProblem = { rule: string; rows: Record<string, unknown>[] }

const TASK = { memberId: 't."userId"', taskId: 't."taskId"' }
const TASK_ID = ledgerIdSql('task', TASK)
const DAILY_TASK_ID = ledgerIdSql('dailyTask', { ...TASK, day: 't.day' })
const MILESTONE_TESP_ID = ledgerIdSql('milestone', {
  memberId: 'm."userId"',
  members: 'm.milestone',
  token: "'TESP'",
})

/** Number of the interval that a ledger row's time ends, for the session `s` and the row `a`. */
const INTERVAL_NUMBER = `(extract(epoch from a."createdAt" - s."startTime") * 1000
  / ${INTERVAL_MS})::integer`

/** Each query returns the offending rows; no row means that the rule holds. */
const CHECKS: Record<string, string> = {
  'a balance is the sum of its ledger rows': `
    select w."userId", t.token, t.balance, coalesce(s.total, 0) as "sumOfRows"
    from wallets w
    cross join lateral (values ('TESP', w.balance), ('USDT', w."usdtBalance")) t(token, balance)
    left join (select "userId", "tokenType", sum(amount) as total from wallet_activity
      group by 1, 2) s on s."userId" = w."userId" and s."tokenType" = t.token
    where t.balance <> coalesce(s.total, 0)`,
  'balanceAfter is the running sum': `
    select id, "userId", "tokenType", "balanceAfter", running from (
      select a.*, sum(amount) over (partition by "userId", "tokenType" order by seq) as running
      from wallet_activity a) r
    where "balanceAfter" <> running`,
  'no balance is negative': `
    select "userId", balance, "usdtBalance" from wallets where balance < 0 or "usdtBalance" < 0`,
  'a ledger row belongs to its member and wallet': `
    select a.id, a."userId", a."walletId" from wallet_activity a
    left join wallets w on w.id = a."walletId" and w."userId" = a."userId" where w.id is null`,
  'a ledger id is paid once': `
    select id, count(*) from wallet_activity group by id having count(*) > 1`,
  'each credited interval has exactly its row': `
    select s.id, s."creditedIntervals", coalesce(c.rows, 0) as rows
    from mining_sessions s
    left join (
      select s.id, count(*) as rows
      from (select id, "createdAt", split_part(id, ':', 2) as session from wallet_activity
        where id like '${ledgerIdLike('credit')}') a
      join mining_sessions s on s.id::text = a.session
      cross join lateral (select ${INTERVAL_NUMBER} as n) i
      where a.id = ${ledgerIdSql('credit', { sessionId: 's.id', n: 'i.n' })}
        and a."createdAt" = ${intervalEndSql('s', 'i.n')}
        and i.n between 1 and s."creditedIntervals"
      group by s.id
    ) c on c.id = s.id
    where s."creditedIntervals" <> coalesce(c.rows, 0)`,
  'what sessions earned is in wallets or pending': `
    select "userId", m."pendingRewards", e.earned, c.received
    from mining_stats m
    left join (select "userId", sum(reward) as earned from mining_sessions group by 1) e
      using ("userId")
    left join (select "userId", sum(amount) as received from wallet_activity
      where "tokenType" = 'TESP'
        and (id like '${ledgerIdLike('credit')}' or id like '${ledgerIdLike('claim')}')
      group by 1) c using ("userId")
    where coalesce(e.earned, 0) <> coalesce(c.received, 0) + m."pendingRewards"`,
  'the USDT share of sessions is in wallets or pending': `
    select "userId", m."pendingUsdtRewards", e.earned, c.received
    from mining_stats m
    left join (select "userId", sum("usdtReward") as earned from mining_sessions group by 1) e
      using ("userId")
    left join (select "userId", sum(amount) as received from wallet_activity
      where "tokenType" = 'USDT' and id like '${ledgerIdLike('claim')}' group by 1) c
      using ("userId")
    where coalesce(e.earned, 0) <> coalesce(c.received, 0) + m."pendingUsdtRewards"`,
  'one wallet and one stats row a member': `
    select u.id from users u left join wallets w on w."userId" = u.id
    left join mining_stats m on m."userId" = u.id where w.id is null or m.id is null`,
  'one active session a member at most': `
    select "userId", count(*) from mining_sessions where active group by 1 having count(*) > 1`,
  'teamSize counts the referred members, miningBoost is 0.05 of each': `
    select u.id, u."teamSize", u."miningBoost", count(r.id) as referred
    from users u left join users r on r."referredBy" = u.id
    group by u.id having u."teamSize" <> count(r.id) or u."miningBoost" <> 0.05 * count(r.id)`,
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
  'the network counters equal what they count': `
    select c.*, r.* from
      (select sum("activeSessions") as sessions, sum("activeRate") as rate,
        sum("ledgerRows") as rows from network_counters) c,
      (select count(*) as "realSessions", coalesce(sum("hashRate"), 0) as "realRate"
        from mining_sessions where active) r,
      (select count(*) as "realRows" from wallet_activity) l
    where c.sessions <> r."realSessions" or c.rate <> r."realRate" or c.rows <> l."realRows"`,
  'a task and a milestone pay once': `
    select t.id, t."userId", t."taskId" from completed_tasks t
    left join wallet_activity a on a."userId" = t."userId" and a.amount = t."rewardAmount"
      and a.id = case when t.day = '' then ${TASK_ID} else ${DAILY_TASK_ID} end
    where a.id is null
    union all
    select m.id, m."userId", m.milestone::text from team_milestones m
    left join wallet_activity a on a.amount = m."rewardAmount"
      and a.id = ${MILESTONE_TESP_ID}
    where m.achieved and a.id is null`,
  'a deleted member holds nothing personal and no active session': `
    select u.id from users u
    where u."deletedAt" is not null and (
      u.username <> 'deleted:' || u.id or u."usernameKey" <> 'deleted:' || u.id
      or u.email <> 'deleted:' || u.id or u."emailKey" <> 'deleted:' || u.id or u.password <> ''
      or num_nonnulls(u.phone, u."fullName", u.avatar, u."kycDocumentType", u."kycDocumentUrl",
        u."kycVerifiedAt", u."referralCode", u."referralFrozenReason", u."addressHash") > 0
      or u."kycStatus" <> 'unverified'
      or exists (select from mining_sessions s where s."userId" = u.id and s.active)
      or exists (select from kyc_documents d where d."userId" = u.id)
      or exists (select from idempotency_keys k where k."userId" = u.id)
      or exists (select from feature_flags f where u.id = any(f."enabledForUsers")))`,
}

/** Names of all audited rules. */
export const AUDITED_RULES = Object.keys(CHECKS)

/**
 * Checks the rules of the economy for every wallet in one snapshot of the database; safe to run
 * while the product is in use.
 */
export async function audit(db: Db): Promise<{ wallets: number; problems: AuditProblem[] }> {
  return db.transaction(
    async (tx) => {
      await tx.raw('set local statement_timeout = 0')
      const problems: AuditProblem[] = []
      for (const [rule, sql] of Object.entries(CHECKS)) {
        const { rows } = await tx.raw(`${sql} limit 10`)
        if (rows.length > 0) problems.push({ rule, rows })
      }
      const { rows } = await tx.raw('select count(*) as count from wallets')
      return { wallets: rows[0].count, problems }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}
