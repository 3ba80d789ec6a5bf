import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import {
  type Decision,
  decideAndNotify,
  lastRejection,
  REASON_CHARACTERS,
  submitDocument,
} from './kyc.ts'

const passport = {
  documentType: 'passport',
  mime: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7'),
} as const

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

async function submit(): Promise<number> {
  await inTransaction(fresh.db, (tx) => submitDocument(tx, fresh.dataKey, memberId, passport))
  return (await fresh.db('kyc_documents').where({ userId: memberId }).max('id as id').first())?.id
}

const mails = { origin: 'https://tesp.example' }
const decideIn = (tx: Tx, decision: Decision) =>
  decideAndNotify(tx, decision, { ...mails, dataKey: fresh.dataKey })
const decide = (decision: Decision) => inTransaction(fresh.db, (tx) => decideIn(tx, decision))
const reject = (id: number, reason = 'The picture is blurred') =>
  decide({ id, accepted: false, reason })
const accept = (id: number) => decide({ id, accepted: true })
const stateOf = async () =>
  fresh.db('users').where({ id: memberId }).first('kycStatus', 'kycVerifiedAt')
const statusOf = async () => (await stateOf()).kycStatus

async function mailsOfMember() {
  const { email } = await fresh.db('users').where({ id: memberId }).first('email')
  return (await newestMails(fresh.db, fresh.dataKey)).filter(({ to }) => to === email)
}

describe('KYC', () => {
  it('a member is unverified, pending after submitting a document, then verified', async () => {
    expect(await stateOf()).toEqual({ kycStatus: 'unverified', kycVerifiedAt: null })
    const id = await submit()
    expect(await stateOf()).toEqual({ kycStatus: 'pending', kycVerifiedAt: null })
    expect(await accept(id)).toBe(memberId)
    expect(await stateOf()).toEqual({ kycStatus: 'verified', kycVerifiedAt: expect.any(Date) })
  })

  it('documents are accepted only from unverified members', async () => {
    const id = await submit()
    await expect(submit()).rejects.toMatchObject({ code: 'kyc_not_open' })
    await reject(id)
    expect(await stateOf()).toEqual({ kycStatus: 'unverified', kycVerifiedAt: null })
    expect(await submit()).toBeGreaterThan(id)
  })

  it('a document is decided once', async () => {
    const id = await submit()
    await accept(id)
    await expect(reject(id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await statusOf()).toBe('verified')
  })
})

describe('a decision about a document', () => {
  it('a rejection is one mail with the reason and the way to try again', async () => {
    await reject(await submit(), '  The picture\n is blurred ')
    expect(await statusOf()).toBe('unverified')
    const [mail, ...others] = await mailsOfMember()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('TESP Network: your document was not accepted')
    expect(mail?.text).toContain('    The picture is blurred\n')
    expect(mail?.text).toContain('open your Account screen, choose KYC Verification')
    expect(mail?.text).toContain('https://tesp.example/account')
  })

  it('the mail is in the language of the member', async () => {
    await fresh.db('users').where({ id: memberId }).update({ language: 'vi' })
    await reject(await submit(), 'The picture is blurred')
    const [mail] = await mailsOfMember()
    expect(mail?.subject).toBe('TESP Network: giấy tờ của bạn không được chấp nhận')
    expect(mail?.text).toContain('    The picture is blurred\n')
  })

  it('an acceptance is one mail', async () => {
    await decide({ id: await submit(), accepted: true })
    expect(await statusOf()).toBe('verified')
    expect((await mailsOfMember()).map(({ subject }) => subject)).toEqual([
      'TESP Network: your identity is verified',
    ])
  })

  it('a decision that is rolled back leaves no mail', async () => {
    const id = await submit()
    const failing = inTransaction(fresh.db, async (tx) => {
      await decideIn(tx, { id, accepted: false, reason: 'blurred' })
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    expect(await mailsOfMember()).toEqual([])
    expect(await statusOf()).toBe('pending')
  })

  it('two operators who decide at once send one mail', async () => {
    const id = await submit()
    const results = await Promise.allSettled([reject(id), reject(id), reject(id)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await mailsOfMember()).toHaveLength(1)
  })

  it.each(['', '   ', 'x'.repeat(REASON_CHARACTERS + 1)])(
    'a rejection with the reason %j changes nothing',
    async (reason) => {
      await expect(reject(await submit(), reason)).rejects.toMatchObject({ code: 'bad_input' })
      expect(await statusOf()).toBe('pending')
      expect(await mailsOfMember()).toEqual([])
    },
  )
})

describe('the last rejection', () => {
  const rejection = () => lastRejection(fresh.db, memberId)

  it('is read until the next document is submitted', async () => {
    expect(await rejection()).toBeNull()
    const id = await submit()
    expect(await rejection()).toBeNull()
    await reject(id)
    const decidedAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await rejection()).toEqual({ reason: 'The picture is blurred', decidedAt })
    const next = await submit()
    expect(await rejection()).toBeNull()
    await decide({ id: next, accepted: true })
    expect(await rejection()).toBeNull()
  })
})
