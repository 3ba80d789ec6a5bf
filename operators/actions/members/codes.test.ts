import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { freezeCode, frozenCodes } from './codes.ts'

const CODE = 'TESPAAAAAA'
let fresh: FreshDatabase
let owner: number

beforeAll(async () => {
  fresh = await freshDatabase()
  owner = await insertMember(fresh.db)
  await fresh.db('users').where({ id: owner }).update({ referralCode: CODE })
})
afterAll(() => fresh.close())

const freeze = (code: string, reason: string | null) =>
  inTransaction(fresh.db, (tx) => freezeCode(tx, code, reason))

it('a referral code is frozen with a reason and unfrozen', async () => {
  expect(await freeze(CODE.toLowerCase(), 'farmed')).toBe(owner)
  expect(await frozenCodes(fresh.db)).toEqual([
    { code: CODE, memberId: owner, username: expect.any(String), teamSize: 0, reason: 'farmed' },
  ])
  await freeze(CODE, null)
  expect(await frozenCodes(fresh.db)).toEqual([])
})

it('freezing an unknown referral code is rejected', async () => {
  await expect(freeze('TESPZZZZZZ', 'x')).rejects.toThrow('no such referral code')
})
