import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { CREDIT_SLOTS, INTERVALS } from '#rules/constants'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { type Default, TABLES } from './testing/specified-columns.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const BUCKETED = [
  'mining_sessions',
  'folded_sessions',
  'wallets',
  'mining_stats',
  'wallet_activity',
  'idempotency_keys',
  'completed_tasks',
  'team_milestones',
  'usdt_rewards',
  'inbox',
]

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
        if (value !== null)
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

  it('mining_sessions and the tables of sweeps agree with the constants of the rules', async () => {
    const { rows } = await fresh.db.raw(
      `select string_agg(pg_get_constraintdef(oid), ' ') as checks from pg_constraint
       where conrelid = 'mining_sessions'::regclass and contype = 'c'`,
    )
    expect(rows[0].checks).toContain(`<= ${CREDIT_SLOTS - 1}`)
    expect(rows[0].checks).toContain(`<= ${INTERVALS}`)
    const lane = (n: number) =>
      fresh.db('network_counters').where({ lane: n }).orderBy('bucket').pluck('bucket')
    expect(await lane(0)).toEqual(SWEEP_RANGES.map(({ first }) => first))
    expect(await lane(1)).toEqual(Array.from({ length: BUCKETS }, (_, bucket) => bucket))
    const ranges = await fresh.db('credit_sweeps').orderBy('firstBucket')
    expect(ranges).toMatchObject(
      SWEEP_RANGES.map(({ first, last }) => ({ firstBucket: first, lastBucket: last })),
    )
  })

  it.each([...BUCKETED, 'ledger_facts', 'network_counters', 'network_hours'])(
    '%s has the bucket of its member first in every unique key',
    async (table) => {
      const { rows } = await fresh.db.raw(
        `select pg_get_indexdef(indexrelid, 1, true) as first, indexrelid::regclass::text as name
       from pg_index where indisunique and indrelid = ?::regclass`,
        [table],
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter(({ first }: { first: string }) => first !== 'bucket')).toEqual([])
      expect((await columnsOf(table)).get('bucket')?.nullable).toBe('NO')
    },
  )

  it.each(BUCKETED)('%s accepts no other bucket than that of its member', async (table) => {
    const { rows: checks } = await fresh.db.raw(
      `select pg_get_constraintdef(oid) as sql from pg_constraint
       where conrelid = ?::regclass and convalidated and contype in ('c', 'n')`,
      [table],
    )
    const found = checks.map(({ sql }: { sql: string }) => sql)
    expect(found).toContain(`CHECK ((bucket = ("userId" % ${BUCKETS})))`)
  })

  it('a row without the bucket of its member is rejected', async () => {
    const userId = await insertMember(fresh.db)
    const wallet = fresh.db('wallets').where({ userId })
    const bucket = (userId + 1) % BUCKETS
    await expect(wallet.clone().update({ bucket })).rejects.toThrow(/wallets_bucket_check/)
    await wallet.clone().delete()
    await expect(fresh.db('wallets').insert({ userId })).rejects.toThrow(
      /null value in column "bucket"/,
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
        'completed_tasks.bucket,userId,taskId,day',
      ]),
    )
  })
})
