import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { enqueueMail } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import { deleteMember } from './deletion.ts'
import { createCode } from './email-codes.ts'
import { lockSignedIn } from './execute-once.ts'
import { decideAndNotify, submitDocument } from './kyc.ts'
import { updateProfile } from './profile.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const remove = (memberId: number) =>
  inTransaction(fresh.db, (tx) => deleteMember(tx, fresh.dataKey, { memberId, epoch: 0 }))
const join = (memberId: number, code: string) =>
  inTransaction(fresh.db, (tx) => applyReferralCode(tx, memberId, code))
const row = (id: number) => fresh.db('users').where({ id }).first()

describe('a deletion in parallel', () => {
  /** Resolves when a transaction waits for an advisory lock. */
  const untilLockIsAwaited = () => expect.poll(() => waitingForMembers(fresh.db)).toBeGreaterThan(0)

  it('a deletion removes a code and a mail that are being written concurrently', async () => {
    const memberId = await insertMember(fresh.db)
    const { email, emailKey } = await row(memberId)
    const other = await fresh.db.transaction()
    const owner = { email, purpose: 'reset', browserId: 'b' } as const
    await createCode(other, fresh.dataKey, owner, 5)
    await enqueueMail(other, fresh.dataKey, { to: email, subject: 's', text: 't' })
    const removed = remove(memberId)
    await untilLockIsAwaited()
    await other.commit()
    await removed
    expect(await fresh.db('email_codes').where({ emailKey })).toEqual([])
    expect(await fresh.db('mails').where({ recipientKey: emailKey })).toEqual([])
  })

  it('a decision about a document waits for a deletion of the member before it locks rows', async () => {
    const memberId = await insertMember(fresh.db)
    const document = {
      documentType: 'passport',
      mime: 'application/pdf',
      bytes: Buffer.from('%PDF-1.7'),
    } as const
    await inTransaction(fresh.db, (tx) => submitDocument(tx, fresh.dataKey, memberId, document))
    const { id } = await fresh.db('kyc_documents').where({ userId: memberId }).first('id')
    const deletion = await fresh.db.transaction()
    await lockSignedIn(deletion, { memberId, epoch: 0 })
    const mail = { dataKey: fresh.dataKey, origin: undefined }
    const decided = expect(
      inTransaction(fresh.db, (tx) => decideAndNotify(tx, { id, accepted: true }, mail)),
    ).rejects.toMatchObject({ code: 'not_found' })
    await untilLockIsAwaited()
    await deletion.raw('select from kyc_documents where id = ? for update nowait', [id])
    await deleteMember(deletion, fresh.dataKey, { memberId, epoch: 0 })
    await deletion.commit()
    await decided
  })

  it('nobody can join a team by the code of a member who is being deleted', async () => {
    const memberId = await insertMember(fresh.db)
    const referralCode = `TESPW${memberId}`
    await fresh.db('users').where({ id: memberId }).update({ referralCode })
    const other = await insertMember(fresh.db)
    const deletion = await fresh.db.transaction()
    await deleteMember(deletion, fresh.dataKey, { memberId, epoch: 0 })
    const joined = expect(join(other, referralCode)).rejects.toMatchObject({
      code: 'referral_unknown',
    })
    await untilLockIsAwaited()
    await deletion.commit()
    await joined
    expect(await row(memberId)).toMatchObject({ teamSize: 0 })
    expect((await audit(fresh.db)).problems).toEqual([])
  })

  it('a deletion waits for running changes of the member and rejects later ones', async () => {
    const memberId = await insertMember(fresh.db)
    const change = await fresh.db.transaction()
    await lockSignedIn(change, { memberId, epoch: 0 })
    await updateProfile(change, memberId, { fullName: 'Ada' })
    const removed = remove(memberId)
    await untilLockIsAwaited()
    const late = fresh.db.transaction((tx) => lockSignedIn(tx, { memberId, epoch: 0 }))
    const refused = expect(late).rejects.toMatchObject({ code: 'not_signed_in' })
    await change.commit()
    await removed
    await refused
    expect((await row(memberId)).fullName).toBeNull()
  })
})
