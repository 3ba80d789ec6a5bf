import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { BREAKS, FURTHER_BREAKS, onChangedCopy } from '#scripts/testing/db/broken-ledger'
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

  it.each([
    ['a task', 'task::leader:follow_twitter', 'TESP'],
    ['a milestone in TESP', 'milestone::leader:25:TESP', 'TESP'],
    ['a milestone in USDT', 'milestone::leader:25:USDT', 'USDT'],
    ['a correction', 'correction:999', 'TESP'],
    ['nothing known', 'gift:1', 'TESP'],
  ] as const)('the audit reports a posted row without fact: %s', async (_, name, token) => {
    await withCopy('select 1', async (db) => {
      const id = name.replace(':leader', String(leader))
      const paid = {
        id,
        userId: leader,
        token,
        amount: '3',
        type: 'other',
        description: '',
      } as const
      await inTransaction(db, (tx) => post(tx, { ...paid, at: Date.now() }))
      expect((await audit(db)).problems).toMatchObject([
        {
          rule: 'tasks, milestones and corrections pay exactly their ledger rows',
          rows: [{ id, userId: String(leader), amountOfFact: null }],
        },
      ])
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
