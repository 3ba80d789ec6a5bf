import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { enqueueMail, MAIL_TRIES, markFailed, waitingMail } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { failedBySubject, failedMails, retryMails, waitingMails } from './background-work.ts'

let fresh: FreshDatabase
let mails: number[]

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  await fresh.db('mails').delete()
  mails = await inTransaction(fresh.db, async (tx) => {
    const ids: number[] = []
    for (const subject of ['code', 'code', 'verified']) {
      ids.push(await enqueueMail(tx, fresh.dataKey, { to: 'a@test.example', subject, text: 'x' }))
    }
    return ids
  })
})

const fail = (id: number | undefined) => markFailed(fresh.db, id ?? 0, 'mailbox full', true)
const retry = (ids: number[] | 'all') => inTransaction(fresh.db, (tx) => retryMails(tx, ids))

it('waiting and failed mails are listed with their last error', async () => {
  await fail(mails[0])
  await markFailed(fresh.db, mails[1] ?? 0, 'ECONNREFUSED')
  expect(await failedMails(fresh.db, 9)).toMatchObject([
    { id: mails[0], lastError: 'mailbox full', failedAt: expect.any(Date) },
  ])
  expect(await waitingMails(fresh.db, 9)).toMatchObject([
    { id: mails[2], attempts: 0, lastError: null },
    { id: mails[1], attempts: 1, lastError: 'ECONNREFUSED' },
  ])
})

it('a failed mail waits again with all its tries and its text', async () => {
  for (let n = 0; n < MAIL_TRIES; n++) await markFailed(fresh.db, mails[0] ?? 0, 'mailbox full')
  expect(await waitingMail(fresh.db, fresh.dataKey, mails[0] ?? 0)).toBeUndefined()
  expect(await retry([mails[0] ?? 0])).toEqual([mails[0]])
  expect(await waitingMail(fresh.db, fresh.dataKey, mails[0] ?? 0)).toMatchObject({
    attempts: 0,
    text: 'x',
  })
})

it('all failed mails are tried again, and no other', async () => {
  await fail(mails[0])
  await fail(mails[2])
  const bySubject = [
    { subject: 'code', mails: 1 },
    { subject: 'verified', mails: 1 },
  ]
  expect(await failedBySubject(fresh.db, 'all')).toEqual(bySubject)
  expect((await retry('all')).sort((a, b) => a - b)).toEqual([mails[0], mails[2]])
  expect(await failedMails(fresh.db, 9)).toEqual([])
})

it('a mail that has not failed is not retried, nor are others with it', async () => {
  await fail(mails[0])
  await expect(retry([mails[0] ?? 0, mails[1] ?? 0])).rejects.toThrow('no such failed mail')
  expect(await failedMails(fresh.db, 9)).toHaveLength(1)
})
