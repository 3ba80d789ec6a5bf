import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { enqueueMail, MAIL_TRIES, markFailed, waitingMail } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { HOUR_MS } from '#rules/constants'
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

/** Rejected for good, after some failures that might have passed. */
async function reject(id = 0, failures = 0) {
  for (let n = 0; n < failures; n++) await markFailed(fresh.db, id, 'ECONNREFUSED')
  await markFailed(fresh.db, id, 'mailbox full', true)
}
async function giveUp(id = 0) {
  for (let n = 0; n < MAIL_TRIES; n++) await markFailed(fresh.db, id, 'ECONNREFUSED')
}
const retry = (ids: number[] | 'all') => inTransaction(fresh.db, (tx) => retryMails(tx, ids))

it('waiting and failed mails are listed with their last error', async () => {
  await reject(mails[0])
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
  await giveUp(mails[0])
  expect(await waitingMail(fresh.db, fresh.dataKey, mails[0] ?? 0)).toBeUndefined()
  expect(await retry([mails[0] ?? 0])).toEqual([mails[0]])
  expect(await waitingMail(fresh.db, fresh.dataKey, mails[0] ?? 0)).toMatchObject({
    attempts: 0,
    text: 'x',
  })
})

it('all mails that were given up are tried again, and no other', async () => {
  await giveUp(mails[0])
  await giveUp(mails[2])
  const bySubject = [
    { subject: 'code', mails: 1 },
    { subject: 'verified', mails: 1 },
  ]
  expect(await failedBySubject(fresh.db, 'all')).toEqual(bySubject)
  expect((await retry('all')).sort((a, b) => a - b)).toEqual([mails[0], mails[2]])
  expect(await failedMails(fresh.db, 9)).toEqual([])
})

it('a retry of all leaves out mails that failed more than a day ago', async () => {
  for (const id of mails) await giveUp(id)
  const age = async (id: number | undefined, hours: number) =>
    fresh
      .db('mails')
      .where({ id })
      .update({ failedAt: new Date(Date.now() - hours * HOUR_MS) })
  await age(mails[0], 25)
  await age(mails[2], 23)
  const bySubject = ['code', 'verified'].map((subject) => ({ subject, mails: 1 }))
  expect(await failedBySubject(fresh.db, 'all')).toEqual(bySubject)
  expect((await retry('all')).sort((a, b) => a - b)).toEqual([mails[1], mails[2]])
})

it.each([0, MAIL_TRIES - 1])(
  'a mail that was rejected for good after %i failures is tried again by its id only',
  async (failures) => {
    const [id = 0] = mails
    await reject(id, failures)
    expect(await failedBySubject(fresh.db, 'all')).toEqual([])
    expect(await retry('all')).toEqual([])
    expect(await failedBySubject(fresh.db, [id])).toEqual([{ subject: 'code', mails: 1 }])
    expect(await retry([id])).toEqual([id])
  },
)

it('a mail that has not failed is not retried, nor are others with it', async () => {
  await reject(mails[0])
  await expect(retry([mails[0] ?? 0, mails[1] ?? 0])).rejects.toThrow('no such failed mail')
  expect(await failedMails(fresh.db, 9)).toHaveLength(1)
})
