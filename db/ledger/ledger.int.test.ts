import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import type { RuleError } from '#rules/rule-error'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { audit } from './audit.ts'
import type { Posting } from './ledger.ts'
import { post } from './ledger.ts'

let fresh: FreshDatabase
let member: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  member = await insertMember(fresh.db)
})

const posting = (change: Partial<Posting> = {}): Posting => ({
  id: `task:${member}:join_telegram`,
  userId: member,
  token: 'TESP',
  amount: '1',
  type: 'other',
  description: 'Join our Telegram',
  at: Date.now(),
  ...change,
})

const pay = (change?: Partial<Posting>) =>
  inTransaction(fresh.db, (tx) => post(tx, posting(change)))
const codeOf = (error: unknown) => (error as RuleError).code
const wallet = () => fresh.db('wallets').where({ userId: member }).first()
const rows = () => fresh.db('wallet_activity').where({ userId: member }).orderBy('seq')

/** Number of successful attempts, and the codes of the rejected ones. */
async function outcomes(attempts: Promise<void>[]) {
  const settled = await Promise.allSettled(attempts)
  const rejected = settled.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []))
  return { paid: settled.length - rejected.length, rejected: [...new Set(rejected)] }
}

describe('post', () => {
  it('post changes the balance together with its ledger row', async () => {
    await pay({ amount: '1.5' })
    await pay({ id: `gift:${member}`, amount: '0.00000001' })
    expect((await wallet()).balance).toBe('1.50000001')
    expect(await rows()).toMatchObject([
      { amount: '1.50000000', balanceAfter: '1.50000000', tokenType: 'TESP', type: 'other' },
      { amount: '0.00000001', balanceAfter: '1.50000001', walletId: (await wallet()).id },
    ])
  })

  it('TESP and USDT balances are separate', async () => {
    await pay({ token: 'USDT', amount: '3' })
    expect(await wallet()).toMatchObject({ balance: '0.00000000', usdtBalance: '3.00000000' })
  })

  it('a ledger id is paid once, even at another time or for another amount', async () => {
    await pay()
    const again = pay({ amount: '5', at: Date.now() + 90_000_000 })
    await expect(again).rejects.toMatchObject({ code: 'already_posted' })
    expect((await wallet()).balance).toBe('1.00000000')
  })

  it('30 concurrent posts of one ledger id pay once', async () => {
    const pool = fresh.pool(30)
    const attempts = Array.from({ length: 30 }, (_, i) =>
      inTransaction(pool, (tx) => post(tx, posting({ at: Date.now() + i * 86_400_000 }))),
    )
    expect(await outcomes(attempts)).toEqual({ paid: 1, rejected: ['already_posted'] })
    expect((await wallet()).balance).toBe('1.00000000')
    expect(await rows()).toHaveLength(1)
  })

  it('a balance never falls below zero, even with concurrent posts', async () => {
    await pay({ id: `in:${member}`, amount: '1' })
    const attempts = Array.from({ length: 10 }, (_, i) =>
      pay({ id: `out:${member}:${i}`, amount: '-0.3' }),
    )
    expect(await outcomes(attempts)).toEqual({ paid: 3, rejected: ['insufficient_balance'] })
    expect((await wallet()).balance).toBe('0.10000000')
  })

  it('a rolled-back post leaves no row and can be repeated', async () => {
    const failed = inTransaction(fresh.db, async (tx) => {
      await post(tx, posting())
      throw new Error('something else failed')
    })
    await expect(failed).rejects.toThrow('something else failed')
    expect(await rows()).toHaveLength(0)
    await pay()
    expect((await wallet()).balance).toBe('1.00000000')
  })
})

it('the audit finds nothing after all posts but that no fact is behind them', async () => {
  expect((await audit(fresh.db)).problems.map(({ rule }) => rule)).toEqual([
    'tasks, milestones and corrections pay exactly their ledger rows',
  ])
})
