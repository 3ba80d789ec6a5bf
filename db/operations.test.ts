import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  correctBalance,
  endSignIns,
  freezeCode,
  setFlag,
  setFlagFor,
  setVersion,
} from '#db/operations'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { audit } from './ledger/audit.ts'
import { inTransaction, type Tx } from './postgres/transaction.ts'

let fresh: FreshDatabase
let id: number
let username: string

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  id = await insertMember(fresh.db)
  username = (await memberRow()).username
})

const memberRow = () => fresh.db('users').where({ id }).first()
const operate = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)
const correct = (amount: string, reason = 'a lost payment') =>
  operate((tx) => correctBalance(tx, { member: username, token: 'TESP', amount, reason }))
const balance = async () => (await fresh.db('wallets').where({ userId: id }).first()).balance

describe('correctBalance', () => {
  it('a correction is a ledger row with its reason', async () => {
    await correct('12.5')
    await correct('-2.00000001')
    expect(await balance()).toBe('10.49999999')
    const rows = await fresh.db('wallet_activity').where({ userId: id }).orderBy('seq')
    expect(rows).toMatchObject([
      { amount: '12.50000000', description: 'Correction: a lost payment' },
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

  it('a correction of an unknown member is rejected', async () => {
    const nobody = { member: 'nobody-here', token: 'TESP', amount: '1', reason: 'x' } as const
    await expect(operate((tx) => correctBalance(tx, nobody))).rejects.toThrow('no such member')
  })
})

describe('endSignIns', () => {
  it('sign-ins of one member or of all members are ended', async () => {
    const other = await insertMember(fresh.db)
    expect(await operate((tx) => endSignIns(tx, username))).toBe(1)
    const epochs = () =>
      fresh.db('users').whereIn('id', [id, other]).orderBy('id').pluck('authEpoch')
    expect(await epochs()).toEqual([1, 0])
    expect(await operate((tx) => endSignIns(tx, '@everybody'))).toBeGreaterThan(1)
    expect(await epochs()).toEqual([2, 1])
    await expect(operate((tx) => endSignIns(tx, 'nobody-here'))).rejects.toThrow('no such member')
  })
})

describe('freezeCode', () => {
  it('a referral code is frozen with a reason and unfrozen', async () => {
    const code = `TESP${String(id).padStart(6, 'A').slice(-6).replace(/[01]/g, 'Z')}`
    await fresh.db('users').where({ id }).update({ referralCode: code })
    await operate((tx) => freezeCode(tx, code.toLowerCase(), 'farmed'))
    expect(await memberRow()).toMatchObject({ referralFrozenReason: 'farmed' })
    await operate((tx) => freezeCode(tx, code, null))
    expect(await memberRow()).toMatchObject({ referralFrozenReason: null })
    await expect(operate((tx) => freezeCode(tx, 'TESPZZZZZZ', 'x'))).rejects.toThrow('no such')
  })
})

describe('feature flags', () => {
  it('a feature flag is turned on for all or for some members', async () => {
    await operate((tx) => setFlag(tx, 'kyc', true))
    await operate((tx) => setFlagFor(tx, 'kyc', [username]))
    expect(await fresh.db('feature_flags').where({ name: 'kyc' }).first()).toMatchObject({
      enabled: true,
      enabledForUsers: [id],
    })
    await expect(operate((tx) => setFlag(tx, 'nothing', true))).rejects.toThrow('no such')
  })
})

describe('setVersion', () => {
  const set = (version: string, minimum: string | null) =>
    operate((tx) => setVersion(tx, { version, minimum }))

  it('a version is recorded once, with its minimum client version', async () => {
    expect(await set('9.1.0', null)).toBeNull()
    expect(await set('9.1.0', '9.0.0')).toBe('9.0.0')
    expect(await fresh.db('app_versions').where({ version: '9.1.0' })).toMatchObject([
      { minRequiredVersion: '9.0.0', isActive: true },
    ])
  })

  it.each([
    ['next', null],
    ['9.2.0', 'none'],
    ['9.2.0', '9.2.1'],
  ])('version %j with the minimum %j is rejected', async (version, minimum) => {
    await expect(set(version, minimum)).rejects.toMatchObject({ code: 'bad_input' })
  })
})
