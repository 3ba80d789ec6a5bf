import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { decideDocument, submitDocument, waitingDocuments } from './kyc.ts'
import { passport } from './testing/passport.ts'

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

const statusOf = async () =>
  fresh.db('users').where({ id: memberId }).first('kycStatus', 'kycVerifiedAt')

async function submit(): Promise<number> {
  await inTransaction(fresh.db, (tx) => submitDocument(tx, fresh.dataKey, memberId, passport))
  const waiting = await waitingDocuments(fresh.db)
  return waiting.find(({ userId }) => userId === memberId)?.id
}
const decide = (id: number, accepted: boolean) =>
  inTransaction(fresh.db, (tx) => decideDocument(tx, id, accepted, 'because'))

describe('KYC', () => {
  it('a member is unverified, pending after submitting a document, then verified', async () => {
    expect(await statusOf()).toEqual({ kycStatus: 'unverified', kycVerifiedAt: null })
    const id = await submit()
    expect(await statusOf()).toEqual({ kycStatus: 'pending', kycVerifiedAt: null })
    expect(await decide(id, true)).toBe(memberId)
    expect(await statusOf()).toEqual({ kycStatus: 'verified', kycVerifiedAt: expect.any(Date) })
  })

  it('documents are accepted only from unverified members', async () => {
    const id = await submit()
    await expect(submit()).rejects.toMatchObject({ code: 'kyc_not_open' })
    await decide(id, false)
    expect(await statusOf()).toEqual({ kycStatus: 'unverified', kycVerifiedAt: null })
    expect(await submit()).toBeGreaterThan(id)
  })

  it('a document is decided once', async () => {
    const id = await submit()
    await decide(id, true)
    await expect(decide(id, false)).rejects.toMatchObject({ code: 'not_found' })
    expect((await statusOf()).kycStatus).toBe('verified')
  })
})
