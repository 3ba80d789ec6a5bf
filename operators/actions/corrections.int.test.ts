import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { correctBalance } from './member-changes.ts'

let fresh: FreshDatabase
let id: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  id = await insertMember(fresh.db)
})

const correct = (amount: string, member = `id:${id}`) =>
  inTransaction(fresh.db, (tx) =>
    correctBalance(tx, { member, token: 'TESP', amount, reason: 'a lost payment' }),
  )
const balance = async () => (await fresh.db('wallets').where({ userId: id }).first()).balance

describe('correctBalance', () => {
  it('a correction is a ledger row with its reason', async () => {
    const { memberId, ledgerRow } = await correct('12.5')
    await correct('-2.00000001')
    expect([memberId, await balance()]).toEqual([id, '10.49999999'])
    const rows = await fresh.db('wallet_activity').where({ userId: id }).orderBy('seq')
    expect(rows).toMatchObject([
      { id: ledgerRow, amount: '12.50000000', description: 'Correction: a lost payment' },
      { amount: '-2.00000001', balanceAfter: '10.49999999' },
    ])
    expect((await audit(fresh.db)).problems).toEqual([])
  })

  it('a correction cannot make a balance negative', async () => {
    await correct('1')
    await expect(correct('-1.00000001')).rejects.toThrow(/balance/i)
    expect(await balance()).toBe('1.00000000')
  })

  it.each(['0', '-0', '1e3', '1.123456789', '', 'NaN', '1,5'])(
    'the amount %j is rejected',
    async (amount) => {
      await expect(correct(amount)).rejects.toThrow(/^The amount (must be|may have at most)/)
    },
  )

  it('a correction holds as many digits as a balance', async () => {
    await correct('98765432109.87654321')
    expect(await balance()).toBe('98765432109.87654321')
    await correct('900000000000')
    expect(await balance()).toBe('998765432109.87654321')
    const limit = '12 digits before and 8 after the decimal point'
    await expect(correct('1000000000000')).rejects.toThrow(`The amount may have at most ${limit}`)
    await expect(correct('900000000000')).rejects.toThrow(
      `The new balance may have at most ${limit}`,
    )
    expect(await balance()).toBe('998765432109.87654321')
  })

  it.each(['nobody-here', 'nobody@test.example', 'id:999999999', 'id:x', 'id:'])(
    'a correction of the unknown member %j is rejected',
    async (member) => {
      await expect(correct('1', member)).rejects.toThrow('no such member')
    },
  )
})
