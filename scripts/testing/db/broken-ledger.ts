import type { Db } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'

/** SQL that gives the leader's rows the next bucket. */
export function misplace(table: string): string {
  return `
    alter table ${table} drop constraint ${table}_bucket_check;
    update ${table} set bucket = (bucket + 1) % 1024 where "userId" = :leader`
}

/**
 * SQL that breaks each rule; `:leader` is replaced by a member with a team, sessions and claims.
 */
export const BREAKS: Record<string, string> = {
  'a balance is the sum of its ledger rows': `
    update wallets set balance = balance + 0.00000001 where "userId" = :leader`,
  'balanceAfter is the running sum': `
    update wallet_activity set "balanceAfter" = "balanceAfter" + 0.00000001
    where id = 'task::leader:join_telegram'`,
  'no balance is negative': `
    alter table wallets drop constraint "wallets_usdtBalance_check";
    update wallets set "usdtBalance" = -1 where "userId" = :leader`,
  'a ledger row belongs to its member and wallet': `
    update wallet_activity set "walletId" = "walletId" + 1 where id = 'task::leader:join_telegram'`,
  'a ledger id is paid once': `
    insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
      description, "createdAt", "balanceAfter")
    select bucket, id, "userId", "walletId", type, amount, "tokenType", description,
      "createdAt" + interval '1 day', "balanceAfter" from wallet_activity
    where id = 'task::leader:join_telegram'`,
  'each credited interval has exactly its row': `
    update wallet_activity set "createdAt" = "createdAt" + interval '1 second'
    where id = (select min(id) from wallet_activity where id like 'credit:%')`,
  'archived sessions count exactly the credits of the ledger': `
    insert into folded_sessions values (:leader % 1024, :leader, 0, 1, 1, 0, 0, now(), now())`,
  'a credit row belongs to a session of its member': `
    update wallet_activity set id = 'credit:0:1'
    where id = (select min(id) from wallet_activity where id like 'credit:%')`,
  'what sessions earned is in wallets or pending': `
    update mining_stats set "pendingRewards" = "pendingRewards" + 0.00000001
    where "userId" = :leader`,
  'the USDT share of sessions is in wallets or pending': `
    update mining_stats set "pendingUsdtRewards" = "pendingUsdtRewards" + 0.00000001
    where "userId" = :leader`,
  'one wallet and one stats row a member': `
    delete from mining_stats where "userId" = (select max(id) from users)`,
  'each row has the bucket of its member': misplace('wallets'),
  'each ledger row has the bucket of its member': misplace('wallet_activity'),
  'each paid fact is stored in the bucket of its ledger row': `
    update ledger_facts set bucket = (bucket + 1) % 1024 where id = 'task::leader:join_telegram'`,
  'one active session a member at most': `
    drop index mining_sessions_one_active;
    update mining_sessions set active = true, status = 'active' where "userId" = :leader`,
  'a frozen member has no running session': `
    update users set "frozenAt" = now(), "frozenReason" = 'x'
    where id = (select max("userId") from mining_sessions where active)`,
  'teamSize counts the referred members, miningBoost is the same share of each': `
    update users set "miningBoost" = "miningBoost" + 0.05 where id = :leader`,
  'one F1 reward a referred member': `
    delete from referral_rewards where id = (select min(id) from referral_rewards)`,
  'the referral graph has no cycle': `
    update users set "referredBy" = (select min(id) from users where "referredBy" = :leader)
    where id = :leader`,
  'the network counters equal what they count': `
    update network_counters set "ledgerRows" = "ledgerRows" + 1 where bucket = 384 and lane = 0`,
  'tasks, milestones and corrections pay exactly their ledger rows': `
    insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount")
    values (:leader % 1024, :leader, 'follow_twitter', 2)`,
  'a task with a cap counts its claims': `
    update tasks set cap = 100, claimed = 2 where id = 'follow_twitter'`,
  'a deleted member holds nothing personal and no active session': `
    alter table users drop constraint users_deleted_is_nobody;
    update users set "deletedAt" = now() where id = :leader`,
}

/** Other ways to break a rule. */
export const FURTHER_BREAKS: [string, string][] = [
  [
    'each paid fact is stored in the bucket of its ledger row',
    `delete from ledger_facts where id = 'task::leader:join_telegram'`,
  ],
  [
    'each paid fact is stored in the bucket of its ledger row',
    `insert into ledger_facts values (:leader % 1024, 'claim::leader.99:TESP', now())`,
  ],
  [
    'balanceAfter is the running sum',
    `update wallet_activity set "balanceAfter" = "balanceAfter" + 1
     where "userId" = :leader and "tokenType" = 'TESP'`,
  ],
  [
    'balanceAfter is the running sum',
    `update wallet_activity set seq = 0 where id = 'task::leader:join_telegram'`,
  ],
  [
    'a ledger id is paid once',
    `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
       description, "createdAt", "balanceAfter")
     select bucket, id, "userId", "walletId", type, amount, "tokenType", description,
       "createdAt" + interval '1 day', "balanceAfter" from wallet_activity
     where id = (select min(id) from wallet_activity where id like 'credit:%')`,
  ],
  [
    'each credited interval has exactly its row',
    `update wallet_activity set id = id || '0'
     where id = (select min(id) from wallet_activity where id like 'credit:%')`,
  ],
  [
    'a credit row belongs to a session of its member',
    `update wallet_activity set id = replace(id, 'credit:', 'credit:0')
     where id = (select min(id) from wallet_activity where id like 'credit:%')`,
  ],
]

/**
 * Runs `work` on a copy of `fresh` that `sql` has changed. Nothing may be connected to `fresh`, because
 * Postgres copies a database only while it has no connections.
 */
export async function onChangedCopy(
  fresh: FreshDatabase,
  leader: number,
  sql: string,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const copy = await freshDatabase(new URL(fresh.url).pathname.slice(1))
  try {
    await copy.db.raw(sql.replaceAll(':leader', String(leader)))
    await work(copy.db)
  } finally {
    await copy.close()
  }
}
