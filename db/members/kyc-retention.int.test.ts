import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { decideAndNotify, deleteOldDocuments, readDocument, submitDocument } from './kyc.ts'

const DAYS = 30
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** A member's document of that age, decided at that time unless `decision` is absent. */
async function document(age: string, decision?: 'accepted' | 'rejected') {
  const { db, dataKey } = fresh
  const userId = await insertMember(db)
  const passport = { documentType: 'passport', mime: 'image/png', bytes: Buffer.from(age) } as const
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, passport))
  const { id } = await db('kyc_documents').where({ userId }).first('id')
  if (decision) {
    const decided = { id, accepted: decision === 'accepted', reason: 'blurred' }
    await inTransaction(db, (tx) => decideAndNotify(tx, decided, { dataKey, origin: undefined }))
  }
  for (const column of ['createdAt', 'decidedAt']) {
    await db.raw(
      `update kyc_documents set ?? = now() - ?::interval where id = ? and ?? is not null`,
      [column, age, id, column],
    )
  }
  return { id, userId }
}
const rowOf = (id: number) => fresh.db('kyc_documents').where({ id }).first()
const linkOf = async (id: number) =>
  (await fresh.db('users').where({ id }).first('kycDocumentUrl')).kycDocumentUrl

it('documents are deleted exactly the configured days after the decision', async () => {
  const young = await document('29 days 23:59', 'accepted')
  const old = await document('30 days 00:01', 'accepted')
  const refused = await document('31 days', 'rejected')
  expect(await deleteOldDocuments(fresh.db, DAYS)).toBe(2)
  expect((await rowOf(young.id)).sealed).toBeInstanceOf(Buffer)
  expect(await linkOf(young.userId)).toBe(`kyc:${young.id}`)
  for (const { id, userId } of [old, refused]) {
    expect(await rowOf(id)).toMatchObject({ sealed: null, deletedAt: expect.any(Date) })
    expect(await linkOf(userId)).toBeNull()
  }
  expect(await rowOf(refused.id)).toMatchObject({ accepted: false, reason: 'blurred' })
  expect(await fresh.db('users').where({ id: old.userId }).first()).toMatchObject({
    kycStatus: 'verified',
    kycDocumentType: 'passport',
  })
  expect(await deleteOldDocuments(fresh.db, DAYS)).toBe(0)
})

it('documents are deleted right after the decision when the retention is 0 days', async () => {
  const { id } = await document('0 minutes', 'rejected')
  await deleteOldDocuments(fresh.db, 0)
  expect((await rowOf(id)).sealed).toBeNull()
})

it('undecided documents are never deleted', async () => {
  const { id, userId } = await document('4000 days')
  await deleteOldDocuments(fresh.db, 0)
  expect(await readDocument(fresh.db, fresh.dataKey, id)).toEqual(Buffer.from('4000 days'))
  expect(await linkOf(userId)).toBe(`kyc:${id}`)
})

it('the link to a newer document survives the deletion of an older one', async () => {
  const { id, userId } = await document('31 days', 'rejected')
  const newer = { documentType: 'idCard', mime: 'image/png', bytes: Buffer.from('new') } as const
  await inTransaction(fresh.db, (tx) => submitDocument(tx, fresh.dataKey, userId, newer))
  const link = await linkOf(userId)
  await deleteOldDocuments(fresh.db, DAYS)
  expect((await rowOf(id)).sealed).toBeNull()
  expect(await linkOf(userId)).toBe(link)
})

it('reading a deleted document reports the day of its deletion', async () => {
  const { id } = await document('31 days', 'accepted')
  await deleteOldDocuments(fresh.db, DAYS)
  await expect(readDocument(fresh.db, fresh.dataKey, id)).rejects.toThrow(
    /^The document was deleted on \d{4}-\d\d-\d\d$/,
  )
})
