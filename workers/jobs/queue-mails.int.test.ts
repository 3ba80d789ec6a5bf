import { Worker } from 'bullmq'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { enqueueMail, mailsToQueue, markFailed } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { redisForQueues } from '#runtime/redis'
import { plansOf } from '#scripts/testing/db/statements/plans'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { mailJobOptions, queuePrefix } from '#workers/queue'
import { queueMails } from './queue-mails.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(async () => {
  await context.db('mails').delete()
  await context.mailQueue.obliterate({ force: true })
})

/** Writes a mail; one with `unsubscribes` is a reminder. */
const mail = (kind: { unsubscribes?: number } = {}) =>
  inTransaction(context.db, (tx) =>
    enqueueMail(tx, context.config.dataKey, {
      to: 'a@test.example',
      subject: 's',
      text: 't',
      ...kind,
    }),
  )
const idsOf = async (jobs: Promise<{ data: { mailId: number } }[]>) =>
  (await jobs).map(({ data }) => data.mailId)
const queued = () => idsOf(context.mailQueue.getJobs())
/** Redis loses all jobs, or BullMQ one that has failed. */
const loseJobs = () => context.mailQueue.obliterate({ force: true })
const passTime = (time: string) =>
  context.db.raw('update mails set "queuedAt" = "queuedAt" - ?::interval', [time])

it('a committed mail gets one job at the next run', async () => {
  const written = await mail()
  await queueMails(context, {})
  expect(await queued()).toEqual([written])
  await loseJobs()
  await queueMails(context, {})
  expect(await queued()).toEqual([])
})

it('a mail in backoff is looked at once a minute, not each second', async () => {
  const waiting = await mail()
  await queueMails(context, {})
  await markFailed(context.db, waiting, 'ECONNREFUSED')
  const found = async () => [
    ...(await mailsToQueue(context.db, false)),
    ...(await mailsToQueue(context.db, true)),
  ]
  expect(await found()).toEqual([])
  await passTime('59 seconds')
  expect(await found()).toEqual([])
  await passTime('2 seconds')
  expect(await found()).toHaveLength(1)
  await queueMails(context, { lost: true })
  expect(await found()).toEqual([])
  expect(await queued()).toEqual([waiting])
})

it('a mail whose job was lost with Redis is queued again after a minute', async () => {
  const waiting = await mail()
  await queueMails(context, {})
  await loseJobs()
  await queueMails(context, { lost: true })
  expect(await queued()).toEqual([])
  await passTime('61 seconds')
  await queueMails(context, { lost: true })
  expect(await queued()).toEqual([waiting])
})

it('a mail whose job was not added is found again', async () => {
  const written = await mail()
  const mailQueue = Object.create(context.mailQueue, {
    addBulk: { value: () => Promise.reject(new Error('no Redis')) },
  })
  await expect(queueMails({ ...context, mailQueue }, {})).rejects.toThrow('no Redis')
  await queueMails(context, {})
  expect(await queued()).toEqual([written])
})

it('reminders are queued behind other mails', async () => {
  const reminder = await mail({ unsubscribes: 1 })
  const code = await mail()
  await queueMails(context, {})
  expect(await idsOf(context.mailQueue.getWaiting())).toEqual([code])
  expect(await idsOf(context.mailQueue.getPrioritized())).toEqual([reminder])
})

/** Reminders that wait, with a job or without one, among many mails that were sent. */
const insertMails = (queuedAt: 'now()' | 'null') =>
  context.db.raw(
    `insert into mails (recipient, "recipientKey", subject, "queuedAt", "sentAt", unsubscribes)
     select 'a@test.example', 'a@test.example', 's', ${queuedAt}, case when n > 600 then now() end, 1
     from generate_series(1, 5600) n`,
  )

it('a code is queued at once although more reminders than one run takes wait for a job', async () => {
  await insertMails('null')
  const code = await mail()
  await queueMails(context, {})
  expect(await idsOf(context.mailQueue.getWaiting())).toEqual([code])
  expect(await context.mailQueue.getPrioritizedCount()).toBe(499)
  await queueMails(context, {})
  expect(await context.mailQueue.getPrioritizedCount()).toBe(600)
})

it('a run reads no mails that have a job or were sent', async () => {
  await insertMails('now()')
  await context.db.raw('vacuum analyze mails')
  const code = await mail()
  const found = () => mailsToQueue(context.db, false)
  expect((await found()).map(({ id }) => id)).toEqual([code])
  const [news] = await plansOf(context.fresh, found)
  expect(news).toMatch(/Index Scan (using|on) mails_to_queue/)
  const [lost] = await plansOf(context.fresh, () => mailsToQueue(context.db, true))
  expect(lost).toMatch(/Index Scan (using|on) mails_waiting/)
})

it('a waiting mail whose job has failed is queued again', async () => {
  const mailId = await mail()
  const connection = redisForQueues(context.config.redisUrl)
  const failing = new Worker('send-mail', () => Promise.reject(new Error('no database')), {
    connection,
    prefix: queuePrefix(context.config.redisPrefix),
  })
  const failed = new Promise((resolve) => failing.once('failed', resolve))
  await context.mailQueue.add('send-mail', { mailId }, { ...mailJobOptions(mailId), attempts: 1 })
  await failed
  await failing.close()
  connection.disconnect()
  await queueMails(context, {})
  expect(await context.mailQueue.getWaitingCount()).toBe(1)
})
