import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { endSignIns, freezeCode, frozenCodes } from './member-changes.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const operate = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)

describe('referral codes', () => {
  const CODE = 'TESPAAAAAA'
  const freeze = (code: string, reason: string | null) =>
    operate((tx) => freezeCode(tx, code, reason))

  it('a referral code is frozen with a reason and unfrozen', async () => {
    const memberId = await insertMember(fresh.db)
    await fresh.db('users').where({ id: memberId }).update({ referralCode: CODE })
    expect(await freeze(CODE.toLowerCase(), 'farmed')).toBe(memberId)
    expect(await frozenCodes(fresh.db)).toEqual([
      { code: CODE, memberId, username: expect.any(String), teamSize: 0, reason: 'farmed' },
    ])
    await freeze(CODE, null)
    expect(await frozenCodes(fresh.db)).toEqual([])
  })

  it('freezing an unknown referral code is rejected', async () => {
    await expect(freeze('TESPZZZZZZ', 'x')).rejects.toThrow('no such referral code')
  })
})

describe('sign-ins', () => {
  it('sign-ins of one member or of all members are ended', async () => {
    const members = await insertMembers(fresh.db, 2)
    const epochs = () => fresh.db('users').whereIn('id', members).orderBy('id').pluck('authEpoch')
    const [memberId] = members
    const { username } = await fresh.db('users').where({ id: memberId }).first()
    expect(await operate((tx) => endSignIns(tx, username))).toEqual({ members: 1, memberId })
    expect(await epochs()).toEqual([1, 0])
    const all = Number((await fresh.db('users').count()).at(0)?.count)
    expect(await operate((tx) => endSignIns(tx, '@everybody'))).toEqual({ members: all })
    expect(await epochs()).toEqual([2, 1])
  })

  it('ending the sign-ins of an unknown member is rejected', async () => {
    await expect(operate((tx) => endSignIns(tx, 'nobody-here'))).rejects.toThrow('no such member')
  })
})
