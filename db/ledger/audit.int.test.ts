import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#db/postgres/statements/transaction'
import { BREAKS, FURTHER_BREAKS, onChangedCopy } from '#scripts/testing/db/broken-ledger'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'
import { BALANCE_RULES } from './audit/balance-rules.ts'
import { FACT_RULES } from './audit/fact-rules.ts'
import { MEMBER_RULES, TASK_RULES, TEAM_RULES } from './audit/member-rules.ts'
import { audit } from './audit.ts'

let fresh: FreshDatabase
let leader: number

beforeAll(async () => {
  fresh = await freshDatabase()
  leader = (await seedHistory(fresh.db))[0] ?? 0
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

  it('rows of two days that were posted in turn are no violation', async () => {
    const sql = `update wallet_activity set "createdAt" = "createdAt" + interval '1 day'
      where id = 'claim::leader.1:TESP'`
    await withCopy(sql, async (db) => {
      expect((await audit(db)).problems).toEqual([])
    })
  })
})
