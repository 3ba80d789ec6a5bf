import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { decideDocument, deleteOldDocuments, submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/transaction'
import { redisForRequests } from '#db/process/redis'
import { testConfig } from '#db/testing/database'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import type { OpsCall } from '#scripts/ops/call'
import { OPS } from '#scripts/ops/commands'
import { jobQueue } from '#workers/job-queue'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** Output of `npm run ops -- <name>`. */
async function printed(
  name: string,
  args: string[] = [],
  options: OpsCall['options'] = {},
): Promise<string> {
  const { db, redisUrl } = fresh
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  await OPS[name]?.run({ db, config: testConfig(fresh), redisUrl, args, options })
  log.mockRestore()
  return lines.join('\n')
}

const passport = { documentType: 'passport', mime: 'image/png', bytes: Buffer.from('x') } as const

async function submit(): Promise<number> {
  const { db, dataKey } = fresh
  const userId = await insertMember(db)
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, passport))
  return (await db('kyc_documents').where({ userId }).first('id')).id
}

it('ops documents prints the state of each document in words', async () => {
  const { db } = fresh
  const decide = (id: number, accepted: boolean) =>
    inTransaction(db, (tx) => decideDocument(tx, id, accepted, 'blurred'))
  const gone = await submit()
  await decide(gone, false)
  await deleteOldDocuments(db, 0)
  const held = await submit()
  await decide(held, true)
  const waiting = await submit()

  const text = await printed('documents')
  const line = (id: number) => text.split('\n').find((entry) => entry.startsWith(`${id} `))
  expect(line(gone)).toMatch(/: rejected \(blurred\) on [\d-]{10}, document deleted on [\d-]{10}$/)
  expect(line(held)).toMatch(/, passport of .*: accepted on [\d-]{10}, document still held$/)
  expect(line(waiting)).toMatch(/: waits for a decision$/)
  expect(text).toMatch(/deleted 30 days after the decision\.$/)
})

it('ops kyc reject queues one mail with the reason', async () => {
  const id = await submit()
  const text = await printed('kyc reject', [String(id)], { reason: 'The picture is blurred' })
  expect(text).toMatch(
    /is unverified again, and gets a mail with the reason: The picture is blurred$/,
  )
  const mails = await fresh.db('mails').where('subject', 'like', '%not accepted%').pluck('id')
  expect(mails).toHaveLength(1)
  const redis = redisForRequests(fresh.redisUrl)
  const queue = jobQueue('send-mail', redis, fresh.redisPrefix)
  expect((await queue.getWaiting()).map(({ data }) => data)).toEqual([{ mailId: mails[0] }])
  await queue.close()
  redis.disconnect()
})

it('ops kyc reject without a reason changes nothing', async () => {
  const id = await submit()
  await expect(printed('kyc reject', [String(id)])).rejects.toThrow('--reason is missing')
  expect((await fresh.db('kyc_documents').where({ id }).first()).decidedAt).toBeNull()
})
