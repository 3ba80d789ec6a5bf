import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMembers } from '#db/testing/members'
import { endSignIns } from './sign-ins.ts'

let fresh: FreshDatabase
let members: number[]

beforeAll(async () => {
  fresh = await freshDatabase()
  members = await insertMembers(fresh.db, 2)
})
afterAll(() => fresh.close())

const operate = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)
const epochs = () => fresh.db('users').whereIn('id', members).orderBy('id').pluck('authEpoch')

it('sign-ins of one member or of all members are ended', async () => {
  const [memberId] = members
  const { username } = await fresh.db('users').where({ id: memberId }).first()
  expect(await operate((tx) => endSignIns(tx, username))).toEqual({ members: 1, memberId })
  expect(await epochs()).toEqual([1, 0])
  expect(await operate((tx) => endSignIns(tx, '@everybody'))).toEqual({ members: 2 })
  expect(await epochs()).toEqual([2, 1])
})

it('ending the sign-ins of an unknown member is rejected', async () => {
  await expect(operate((tx) => endSignIns(tx, 'nobody-here'))).rejects.toThrow('no such member')
})
