import type { Bucketed } from './bucket-column.ts'

/** Sessions have a column `bucket` already, which the earlier release uses until the last step. */
const SESSIONS: Bucketed = {
  table: 'mining_sessions',
  column: 'nextBucket',
  dropOldKeys: `
    drop index mining_sessions_one_active, mining_sessions_newest;
    alter table mining_sessions drop column bucket`,
  indexes: [
    {
      name: 'mining_sessions_next_pkey',
      final: 'mining_sessions_pkey',
      on: '"nextBucket", id',
      isUnique: true,
    },
    {
      name: 'mining_sessions_next_active',
      final: 'mining_sessions_one_active',
      on: '"nextBucket", "userId"',
      isUnique: true,
      where: 'active',
    },
    // The slot first: a sweep of many buckets then reads one stretch of the index.
    {
      name: 'mining_sessions_next_due',
      final: 'mining_sessions_due',
      on: '"creditSlot", "nextBucket"',
      where: 'active',
    },
    {
      name: 'mining_sessions_next_newest',
      final: 'mining_sessions_newest',
      on: '"nextBucket", "userId", id desc',
    },
  ],
}

const primaryKey = (table: string, on: string) => ({
  name: `${table}_next_pkey`,
  final: `${table}_pkey`,
  on,
  isUnique: true,
})

/** A table with one row for each member. */
const oneEach = (table: string): Bucketed => ({
  table,
  column: 'bucket',
  dropOldKeys: `alter table ${table} drop constraint "${table}_userId_key"`,
  indexes: [primaryKey(table, 'bucket, "userId"')],
})

/** Members' tables in the order in which transactions lock them (decision 11). */
export const MEMBER_TABLES: Bucketed[] = [
  SESSIONS,
  oneEach('wallets'),
  oneEach('mining_stats'),
  {
    table: 'idempotency_keys',
    column: 'bucket',
    indexes: [primaryKey('idempotency_keys', 'bucket, "userId", key')],
  },
  {
    table: 'completed_tasks',
    column: 'bucket',
    dropOldKeys: `alter table completed_tasks
      drop constraint "completed_tasks_userId_taskId_day_key"`,
    indexes: [
      primaryKey('completed_tasks', 'bucket, id'),
      {
        name: 'completed_tasks_next_once',
        final: 'completed_tasks_once',
        on: 'bucket, "userId", "taskId", day',
        isUnique: true,
      },
    ],
  },
  {
    table: 'team_milestones',
    column: 'bucket',
    dropOldKeys:
      'alter table team_milestones drop constraint "team_milestones_userId_milestone_key"',
    indexes: [
      primaryKey('team_milestones', 'bucket, id'),
      {
        name: 'team_milestones_next_once',
        final: 'team_milestones_once',
        on: 'bucket, "userId", milestone',
        isUnique: true,
      },
    ],
  },
  {
    table: 'usdt_rewards',
    column: 'bucket',
    dropOldKeys: 'drop index usdt_rewards_member',
    indexes: [
      primaryKey('usdt_rewards', 'bucket, id'),
      {
        name: 'usdt_rewards_next_member',
        final: 'usdt_rewards_member',
        on: 'bucket, "userId", id desc',
      },
    ],
  },
]
