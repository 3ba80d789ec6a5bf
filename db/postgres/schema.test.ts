import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MEMBER_BUCKETS } from '#db/ledger/network-counters'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { CREDIT_SLOTS, INTERVALS, SHARDS } from '#rules/constants'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** A default of the specification; null when it gives none. */
type Default = string | number | boolean | null

const NONE = null
const NOW = 'now()'

/** The stored records of the specification (§3), each column with its default. */
const TABLES: Record<string, Record<string, Default>> = {
  app_versions: {
    id: NONE,
    version: NONE,
    releaseDate: NOW,
    minRequiredVersion: NONE,
    description: NONE,
    isActive: true,
    config: NONE,
  },
  feature_flags: {
    id: NONE,
    name: NONE,
    displayName: NONE,
    description: NONE,
    enabled: false,
    enabledForUsers: NONE,
    requiredVersion: NONE,
    createdAt: NONE,
    updatedAt: NONE,
  },
  users: {
    id: NONE,
    username: NONE,
    password: NONE,
    email: NONE,
    phone: NONE,
    fullName: NONE,
    avatar: NONE,
    kycStatus: 'unverified',
    kycDocumentType: NONE,
    kycDocumentUrl: NONE,
    kycVerifiedAt: NONE,
    referralCode: NONE,
    referredBy: NONE,
    miningBoost: 0,
    teamSize: 0,
    teamLevel: 0,
    createdAt: NONE,
  },
  wallets: { id: NONE, userId: NONE, name: NONE, balance: 0, usdtBalance: 0, createdAt: NONE },
  mining_sessions: {
    id: NONE,
    userId: NONE,
    startTime: NONE,
    endTime: NONE,
    active: true,
    hashRate: 0.01,
    aiOptimization: 35,
    lastRewardTime: NONE,
    networkOptimizationLevel: 35,
    reward: NONE,
    rewardClaimed: false,
    status: 'active',
    description: NONE,
  },
  mining_stats: {
    id: NONE,
    userId: NONE,
    neuralLinks: 4616,
    dataProcessed: 26.97,
    networkPower: 16.9,
    totalMined: 0,
    pendingRewards: 0,
    pendingUsdtRewards: 0,
    lastClaimTime: NONE,
    createdAt: NONE,
    updatedAt: NONE,
  },
  referral_rewards: {
    id: NONE,
    userId: NONE,
    referredUserId: NONE,
    level: NONE,
    rewardPercentage: NONE,
    createdAt: NONE,
  },
  usdt_rewards: {
    id: NONE,
    userId: NONE,
    amount: NONE,
    reason: NONE,
    teamSize: NONE,
    createdAt: NONE,
  },
  team_milestones: {
    id: NONE,
    userId: NONE,
    milestone: NONE,
    achieved: false,
    rewardAmount: NONE,
    achievedAt: NONE,
    createdAt: NONE,
  },
  wallet_activity: {
    id: NONE,
    userId: NONE,
    walletId: NONE,
    type: NONE,
    amount: NONE,
    tokenType: NONE,
    description: NONE,
    createdAt: NONE,
    balanceAfter: NONE,
  },
  completed_tasks: {
    id: NONE,
    userId: NONE,
    taskId: NONE,
    completedAt: NONE,
    rewardAmount: NONE,
    rewardType: 'TESP',
  },
}

type Column = { name: string; type: string; default: string | null; nullable: string }

async function columnsOf(table: string): Promise<Map<string, Column>> {
  const { rows } = await fresh.db.raw(
    `select column_name as name, data_type as type, column_default as default,
            is_nullable as nullable
       from information_schema.columns where table_schema = 'public' and table_name = ?`,
    [table],
  )
  return new Map(rows.map((row: Column) => [row.name, row]))
}

/** The value of a default expression: `active` for `'active'::text`. */
function literalOf(expression: string | null | undefined): Default {
  if (expression === null || expression === undefined) return null
  const text = expression.replace(/::[\w ]+$/, '').replace(/^'(.*)'$/, '$1')
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?[\d.]+$/.test(text) ? Number(text) : text
}

describe('the schema', () => {
  it.each(Object.entries(TABLES))(
    'table %s has the columns and defaults of the specification',
    async (table, expected) => {
      const columns = await columnsOf(table)
      expect([...columns.keys()]).toEqual(expect.arrayContaining(Object.keys(expected)))
      for (const [name, value] of Object.entries(expected)) {
        if (value !== NONE)
          expect([name, literalOf(columns.get(name)?.default)]).toEqual([name, value])
      }
    },
  )

  it('versions and flag names are required, and ids that name facts are text', async () => {
    expect((await columnsOf('app_versions')).get('version')?.nullable).toBe('NO')
    expect((await columnsOf('wallet_activity')).get('id')?.type).toBe('text')
    expect((await columnsOf('completed_tasks')).get('taskId')?.type).toBe('text')
    expect((await columnsOf('team_milestones')).get('milestone')?.type).toBe('integer')
  })

  it('mining_sessions is sharded, slotted and counted by the constants of the rules', async () => {
    const { rows } = await fresh.db.raw(
      `select pg_get_expr(adbin, adrelid) as shard, (
         select string_agg(pg_get_constraintdef(oid), ' ') from pg_constraint
         where conrelid = 'mining_sessions'::regclass and contype = 'c') as checks
       from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
       where adrelid = 'mining_sessions'::regclass and attname = 'shard'`,
    )
    expect(rows[0].shard).toContain(`% ${SHARDS})`)
    expect(rows[0].checks).toContain(`<= ${CREDIT_SLOTS - 1}`)
    expect(rows[0].checks).toContain(`<= ${INTERVALS}`)
    expect(await fresh.db('network_counters').orderBy('bucket').pluck('bucket')).toEqual(
      Array.from({ length: SHARDS + MEMBER_BUCKETS }, (_, bucket) => bucket),
    )
  })

  it('unique indexes cover versions, flags, codes, tasks and case-folded names and e-mails', async () => {
    const { rows } = await fresh.db.raw(
      `select t.relname || '.' || string_agg(a.attname, ',' order by k.place) as index
         from pg_index i
         join pg_class t on t.oid = i.indrelid
         cross join unnest(i.indkey) with ordinality as k(attnum, place)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
        where i.indisunique
        group by i.indexrelid, t.relname`,
    )
    expect(rows.map(({ index }: { index: string }) => index)).toEqual(
      expect.arrayContaining([
        'app_versions.version',
        'feature_flags.name',
        'users.usernameKey',
        'users.emailKey',
        'users.referralCode',
        'completed_tasks.userId,taskId,day',
      ]),
    )
  })
})
