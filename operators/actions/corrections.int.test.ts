import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { deleteMember } from '#db/members/deletion'
import { inTransaction } from '#db/postgres/statements/transaction'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { listProposals } from './corrections.ts'

let fresh: FreshDatabase
let id: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  id = await insertMember(fresh.db)
})

const reason = 'a lost payment'
const correct = (amount: string) =>
  inTransaction(fresh.db, (tx) =>
    correctBalance(tx, { member: `id:${id}`, token: 'TESP', amount, reason }),
  )
const as = (operator: string) => ({ db: fresh.db, config: testConfig(fresh), operator })
const balance = async () => (await fresh.db('wallets').where({ userId: id }).first()).balance

describe('a correction', () => {
  it('a correction is a ledger row with its reason', async () => {
    const { memberId, ledgerRow } = await correct('12.5')
    await correct('-2.00000001')
    expect([memberId, await balance()]).toEqual([id, '10.49999999'])
    const rows = await fresh.db('wallet_activity').where({ userId: id }).orderBy('seq')
    expect(rows).toMatchObject([
      { id: ledgerRow, amount: '12.50000000', description: 'Correction: a lost payment' },
      { amount: '-2.00000001', balanceAfter: '10.49999999' },
    ])
    // Nothing else is wrong with a correction that no operator's action names.
    expect((await audit(fresh.db)).problems.map(({ rule }) => rule)).toEqual([
      'tasks, milestones and corrections pay exactly their ledger rows',
    ])
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
      const command = operate(as('ada'), 'ledger correct', [member, 'TESP', '1'], { reason })
      await expect(command).rejects.toThrow('no such member')
    },
  )
})

describe('a correction above the limit', () => {
  const correct = (amount: string, operator = 'ada', token = 'TESP') =>
    operate(as(operator), 'ledger correct', [`id:${id}`, token, amount], { reason })
  const decide = (word: 'approve' | 'refuse', operator: string, proposal: number) =>
    operate(as(operator), `ledger ${word}`, [String(proposal)], { reason: 'looked at' })
  const proposal = async () =>
    (await fresh.db('correction_proposals').where({ userId: id }).max('id as id').first())?.id

  it('is proposed, and posted once another operator approves it', async () => {
    expect(await correct('25.00000001')).toMatch(/^proposed: another operator posts/)
    expect(await balance()).toBe('0.00000000')
    const proposed = await proposal()
    expect(await listProposals(fresh.db)).toMatchObject([
      { id: proposed, memberId: id, amount: '25.00000001', proposedBy: 'ada' },
    ])
    for (const own of ['ada', 'Ada']) {
      await expect(decide('approve', own, proposed)).rejects.toThrow('Another operator must')
    }
    expect(await balance()).toBe('0.00000000')
    await decide('approve', 'bob', proposed)
    expect(await balance()).toBe('25.00000001')
    expect(await listProposals(fresh.db)).toEqual([])
    expect(await fresh.db('operator_actions').where({ userId: id }).orderBy('id')).toMatchObject([
      { operator: 'ada', action: 'ledger correct', details: { proposal: proposed } },
      { operator: 'bob', action: 'ledger approve', details: { proposal: proposed } },
    ])
  })

  it('cannot be split into small ones, whatever their sign', async () => {
    await correct('20')
    expect(await correct('-5')).toContain('posted')
    expect(await correct('0.1', 'bob')).toContain('proposed')
    expect(await correct('0.1', 'bob', 'USDT')).toContain('posted')
    expect(await balance()).toBe('15.00000000')
  })

  it('is posted once by ten operators who approve it together', async () => {
    await correct('40')
    const proposed = await proposal()
    const tries = Array.from({ length: 10 }, (_, n) => decide('approve', `operator-${n}`, proposed))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balance()).toBe('40.00000000')
    expect(await fresh.db('wallet_activity').where({ userId: id })).toHaveLength(1)
  })

  it('is not posted once refused or expired', async () => {
    await correct('40')
    const refused = await proposal()
    await decide('refuse', 'ada', refused)
    await correct('41')
    const expired = await proposal()
    await fresh.db('correction_proposals').where({ id: expired }).update({ expiresAt: new Date() })
    for (const each of [refused, expired]) {
      await expect(decide('approve', 'bob', each)).rejects.toThrow('no such open proposal')
    }
    expect(await balance()).toBe('0.00000000')
  })

  it('is gone with a deleted member', async () => {
    await correct('40')
    const proposed = await proposal()
    await inTransaction(fresh.db, (tx) =>
      deleteMember(tx, fresh.dataKey, { memberId: id, epoch: 0 }),
    )
    await expect(decide('approve', 'bob', proposed)).rejects.toThrow('no such open proposal')
  })
})
