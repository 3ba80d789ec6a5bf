import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { allMembers, endAllSignIns, endSignIns, freezeCode, frozenCodes } from './member-changes.ts'

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
    const members = await insertMembers(fresh.db, 5)
    const epochs = () => fresh.db('users').whereIn('id', members).orderBy('id').pluck('authEpoch')
    const [memberId] = members
    const { username } = await fresh.db('users').where({ id: memberId }).first()
    expect(await operate((tx) => endSignIns(tx, username))).toBe(memberId)
    expect(await epochs()).toEqual([1, 0, 0, 0, 0])
    const all = await allMembers(fresh.db)
    expect(all).toEqual({
      members: Number((await fresh.db('users').count()).at(0)?.count),
      lastId: members.at(-1),
    })
    await endAllSignIns(fresh.db, all, 2)
    expect(await epochs()).toEqual([2, 1, 1, 1, 1])
  })

  it('sign-ins of all members end in batches, without those of later members', async () => {
    const members = await insertMembers(fresh.db, 6)
    const [first, , locked = 0, , lastId = 0, later] = members
    const epochs = () => fresh.db('users').whereIn('id', members).orderBy('id').pluck('authEpoch')
    const ended = await operate(async (tx) => {
      await tx('users').where({ id: locked }).forUpdate().first('id')
      const work = endAllSignIns(fresh.db, { lastId }, 1)
      // On this connection: Postgres ends a transaction that is idle for 10 s.
      const firstEpoch = () => tx('users').where({ id: first }).first('authEpoch')
      await expect.poll(firstEpoch).toEqual({ authEpoch: 1 })
      return { work }
    })
    await ended.work
    expect(later).toBeGreaterThan(lastId)
    expect(await epochs()).toEqual([1, 1, 1, 1, 1, 0])
  })

  it('ending the sign-ins of an unknown member is rejected', async () => {
    await expect(operate((tx) => endSignIns(tx, 'nobody-here'))).rejects.toThrow('no such member')
  })
})
