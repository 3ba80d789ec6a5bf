import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { operate } from '#operators/ops/testing/operate'
import { BUCKETS } from '#rules/buckets'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'

let fresh: FreshDatabase
let leader: number
beforeAll(async () => {
  fresh = await freshDatabase()
  leader = (await seedHistory(fresh.db))[0] ?? 0
  const place = { db: fresh.db, config: testConfig(fresh) }
  await operate(place, 'ledger correct', [`id:${leader}`, 'USDT', '2.5'], { reason: 'test' })
})
afterAll(() => fresh.close())

const OF_LEADER = `where bucket = :leader % ${BUCKETS} and "userId" = :leader`
const TASK_ROW = `where bucket = :leader % ${BUCKETS} and id = 'task::leader:join_telegram'`

/** SQL that breaks each rule on Citus, and SQL that repairs it; `:leader` is a member with a team. */
const BREAKS: Record<string, [string, string]> = {
  'a balance is the sum of its ledger rows': [
    `update wallets set balance = balance + 0.00000001 ${OF_LEADER}`,
    `update wallets set balance = balance - 0.00000001 ${OF_LEADER}`,
  ],
  'balanceAfter is the running sum': [
    `update wallet_activity set "balanceAfter" = "balanceAfter" + 0.00000001 ${TASK_ROW}`,
    `update wallet_activity set "balanceAfter" = "balanceAfter" - 0.00000001 ${TASK_ROW}`,
  ],
  'a ledger row belongs to its member and wallet': [
    `update wallet_activity set "walletId" = "walletId" + 1 ${TASK_ROW}`,
    `update wallet_activity set "walletId" = "walletId" - 1 ${TASK_ROW}`,
  ],
  'each credited interval has exactly its row': [
    `update mining_sessions set "creditedIntervals" = "creditedIntervals" + 1 ${OF_LEADER}`,
    `update mining_sessions set "creditedIntervals" = "creditedIntervals" - 1 ${OF_LEADER}`,
  ],
  'archived sessions count exactly the credits of the ledger': [
    `insert into folded_sessions values (:leader % ${BUCKETS}, :leader, 0, 1, 1, 0, 0, now(), now())`,
    `delete from folded_sessions ${OF_LEADER}`,
  ],
  'what sessions earned is in wallets or pending': [
    `update mining_stats set "pendingRewards" = "pendingRewards" + 0.00000001 ${OF_LEADER}`,
    `update mining_stats set "pendingRewards" = "pendingRewards" - 0.00000001 ${OF_LEADER}`,
  ],
  'tasks, milestones and corrections pay exactly their ledger rows': [
    `insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount")
     values (:leader % ${BUCKETS}, :leader, 'follow_twitter', 2)`,
    `delete from completed_tasks ${OF_LEADER} and "taskId" = 'follow_twitter'`,
  ],
  'each paid fact is stored in the bucket of its ledger row': [
    `insert into ledger_facts values (:leader % ${BUCKETS}, 'claim::leader.99:TESP', now())`,
    `delete from ledger_facts where bucket = :leader % ${BUCKETS} and id = 'claim::leader.99:TESP'`,
  ],
  'a frozen member has no running session': [
    `update users set "frozenAt" = now(), "frozenReason" = 'x'`,
    `update users set "frozenAt" = null, "frozenReason" = null`,
  ],
  'teamSize counts the referred members, miningBoost is the same share of each': [
    `update users set "miningBoost" = "miningBoost" + 0.05 where id = :leader`,
    `update users set "miningBoost" = "miningBoost" - 0.05 where id = :leader`,
  ],
  'the network counters equal what they count': [
    `update network_counters set "ledgerRows" = "ledgerRows" + 1 where bucket = 384 and lane = 1`,
    `update network_counters set "ledgerRows" = "ledgerRows" - 1 where bucket = 384 and lane = 1`,
  ],
}

const run = (sql: string) => fresh.db.raw(sql.replaceAll(':leader', String(leader)))

it('the audit on Citus reports no problem in a used database', async () => {
  expect(await audit(fresh.db)).toEqual({ wallets: 13, problems: [] })
})

it.each(Object.entries(BREAKS))(
  'the audit on Citus reports a violation of: %s',
  async (rule, [broken, repaired]) => {
    await run(broken)
    const { problems } = await audit(fresh.db)
    await run(repaired)
    expect(problems.map((problem) => problem.rule)).toContain(rule)
    expect((await audit(fresh.db)).problems).toEqual([])
  },
)
