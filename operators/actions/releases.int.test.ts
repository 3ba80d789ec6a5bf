import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import {
  listFlags,
  listVersions,
  setFlagFor,
  setFlagVersion,
  setVersion,
  updateFlag,
} from './releases.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const operate = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)

it('a feature flag is turned on for all or for some members', async () => {
  const id = await insertMember(fresh.db)
  await operate((tx) => updateFlag(tx, 'kyc', { enabled: true }))
  expect(await operate((tx) => setFlagFor(tx, 'kyc', [`id:${id}`]))).toEqual([id])
  expect(await listFlags(fresh.db)).toEqual([
    { name: 'kyc', enabled: true, enabledForUsers: [id], requiredVersion: null },
  ])
})

it('a member who is being deleted gets no feature', async () => {
  const id = await insertMember(fresh.db)
  const deletion = await fresh.db.transaction()
  await deleteMember(deletion, fresh.dataKey, { memberId: id, epoch: 0 })
  const given = expect(operate((tx) => setFlagFor(tx, 'kyc', [`id:${id}`]))).rejects.toThrow(
    'no such member',
  )
  await expect.poll(() => waitingForMembers(fresh.db)).toBe(1)
  await deletion.commit()
  await given
})

it('an unknown feature flag and an unknown member are rejected', async () => {
  await expect(operate((tx) => updateFlag(tx, 'nothing', { enabled: true }))).rejects.toThrow(
    'no such feature',
  )
  await expect(operate((tx) => setFlagFor(tx, 'kyc', ['x']))).rejects.toThrow('no such member')
})

it.each([
  ['kyc', 'next', 'must be a version'],
  ['nothing', '9.0.0', 'no such feature'],
])('flag %s is not limited to clients of version %s', async (name, version, reason) => {
  await expect(operate((tx) => setFlagVersion(tx, name, version))).rejects.toThrow(reason)
})

const set = (version: string, minimum: string | null) =>
  inTransaction(fresh.db, (tx) => setVersion(tx, { version, minimum }))

it('a version is recorded once, with its minimum client version', async () => {
  expect(await set('9.1.0', null)).toBeNull()
  expect(await set('9.1.0', '9.0.0')).toBe('9.0.0')
  expect(await listVersions(fresh.db)).toEqual([
    { version: '9.1.0', minimum: '9.0.0', releasedAt: expect.any(Date), active: true },
  ])
})

it('a version that is recorded again without a minimum keeps that of now', async () => {
  await set('9.3.0', '9.1.0')
  expect(await set('9.3.0', null)).toBe('9.1.0')
  await set('9.4.0', '9.2.0')
  expect(await set('9.3.0', null)).toBe('9.2.0')
})

it.each([
  ['next', null],
  ['9.2.0', 'none'],
  ['9.2.0', '9.2.1'],
])('version %j with the minimum %j is rejected', async (version, minimum) => {
  await expect(set(version, minimum)).rejects.toMatchObject({ code: 'bad_input' })
})
