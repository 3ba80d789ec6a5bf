import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { BREAKS, FURTHER_BREAKS, misplace, onChangedCopy } from '#scripts/testing/db/broken-ledger'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'
import { BALANCE_RULES } from './audit/balance-rules.ts'
import { FACT_RULES } from './audit/fact-rules.ts'
import { MEMBER_RULES, TASK_RULES, TEAM_RULES } from './audit/member-rules.ts'
import { audit } from './audit.ts'
import { post } from './ledger.ts'

let fresh: FreshDatabase
let leader: number

beforeAll(async () => {
  fresh = await freshDatabase()
  const [first = 0, second = 0] = await seedHistory(fresh.db)
  leader = first
  const ops = { db: fresh.db, config: testConfig(fresh) }
  const reason = 'an outage'
  await operate(ops, 'ledger correct', [`id:${first}`, 'USDT', '2.5'], { reason })
  await operate(ops, 'ledger correct', [`id:${second}`, 'TESP', '30'], { reason })
  await operate({ ...ops, operator: 'bob' }, 'ledger approve', ['1'])
  // What a deleted member was paid for stays.
  const signIn = { memberId: second, epoch: 0 }
  await inTransaction(fresh.db, (tx) => deleteMember(tx, fresh.dataKey, signIn))
})
afterAll(() => fresh.close())

it('the audit reports no problem in a used database', async () => {
  const { wallets, problems } = await audit(fresh.db)
  expect({ wallets, problems }).toEqual({ wallets: 13, problems: [] })
  const kinds = await fresh.db('wallet_activity').distinct('type').pluck('type')
  expect(kinds.sort()).toEqual(['mining_reward', 'other', 'usdt_reward'])
})

it('every audited rule has a violation fixture', () => {
  const rules = { ...MEMBER_RULES, ...TEAM_RULES, ...TASK_RULES, ...BALANCE_RULES, ...FACT_RULES }
  expect(Object.keys(BREAKS).sort()).toEqual(Object.keys(rules).sort())
})

describe('the audit', () => {
  beforeAll(async () => {
    // Postgres copies a database only while it has no connections.
    await fresh.db.destroy()
  })

  const withCopy = (sql: string, work: (db: Db) => Promise<void>) =>
    onChangedCopy(fresh, leader, sql, work)

  it.each([...Object.entries(BREAKS), ...FURTHER_BREAKS])(
    'the audit reports a violation of: %s',
    async (rule, sql) => {
      await withCopy(sql, async (db) => {
        const { problems } = await audit(db)
        const found = problems.find((problem) => problem.rule === rule)
        expect(found?.rows.length).toBeGreaterThan(0)
      })
    },
  )

  it('the audit reports rows in another bucket than their member, of each table', async () => {
    const tables = [
      'mining_sessions',
      'mining_stats',
      'completed_tasks',
      'team_milestones',
      'usdt_rewards',
    ]
    await withCopy(tables.map(misplace).join(';'), async (db) => {
      const { problems } = await audit(db)
      const found = problems.find(({ rule }) => rule === 'each row has the bucket of its member')
      expect(new Set(found?.rows.map(({ table }) => table))).toEqual(new Set(tables))
    })
  })

  const PAYS_EXACTLY = 'tasks, milestones and corrections pay exactly their ledger rows'

  it.each([
    [
      'two facts are gone and an amount differs',
      `delete from completed_tasks where "userId" = :leader;
       delete from team_milestones where "userId" = :leader;
       update wallet_activity set amount = amount * 2 where id like 'correction:%'`,
    ],
    [
      'a token and an amount differ and rows are gone',
      `update wallet_activity set "tokenType" = 'USDT' where id = 'task::leader:join_telegram';
       update wallet_activity set amount = amount * 2 where id = 'milestone::leader:10:USDT';
       delete from wallet_activity where id like 'correction:%'`,
    ],
  ])('the audit reports a task, a milestone and a correction: %s', async (_, sql) => {
    await withCopy(sql, async (db) => {
      const found = (await audit(db)).problems.find(({ rule }) => rule === PAYS_EXACTLY)
      const kinds = new Set(found?.rows.map(({ id }) => id?.split(':')[0]))
      expect(kinds).toEqual(new Set(['task', 'milestone', 'correction']))
    })
  })

  it('the audit reports each posted row without fact', async () => {
    const rows = [
      [`task:${leader}:follow_twitter`, 'TESP'],
      [`milestone:${leader}:25:TESP`, 'TESP'],
      [`milestone:${leader}:25:USDT`, 'USDT'],
      ['correction:999', 'TESP'],
      ['gift:1', 'TESP'],
    ] as const
    await withCopy('select 1', async (db) => {
      for (const [id, token] of rows) {
        const paid = { id, userId: leader, token, amount: '3', type: 'other' } as const
        await inTransaction(db, (tx) => post(tx, { ...paid, description: '', at: Date.now() }))
      }
      const { problems } = await audit(db)
      expect(problems.map(({ rule }) => rule)).toEqual([PAYS_EXACTLY])
      const found = problems.flatMap((problem) => problem.rows)
      expect(found).toHaveLength(rows.length)
      for (const [id] of rows) {
        const reported = { id, userId: String(leader), amountOfFact: null }
        expect(found).toContainEqual(expect.objectContaining(reported))
      }
    })
  })

  it('rows of two days that were posted in turn are no violation', async () => {
    const sql = `update wallet_activity set "createdAt" = "createdAt" + interval '1 day'
      where id = 'claim::leader.1:TESP'`
    await withCopy(sql, async (db) => {
      expect((await audit(db)).problems).toEqual([])
    })
  })
})
