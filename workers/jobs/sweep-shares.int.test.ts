import { Worker } from 'bullmq'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { BATCH_CREDITS, rangesToSweep } from '#db/mining/sweep'
import { ALL_BUCKETS, type BucketRange } from '#rules/buckets'
import { redisForQueues } from '#runtime/redis'
import { freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { creditedIntervals, insertDueSessions } from '#scripts/testing/workers/uncredited-sessions'
import { queuePrefix } from '#workers/queue'
import { rangeJobId } from './coordinate-sweeps.ts'
import { sweepCredits } from './sweep-credits.ts'

let context: TestContext
let ranges: BucketRange[]
/** Takes jobs of the queue, which are active until the test completes them. */
let worker: Worker

beforeAll(async () => {
  context = await testContext()
  await freeze(context.db)
  ranges = await rangesToSweep(context.db)
})
afterAll(async () => {
  expect((await audit(context.db)).problems).toEqual([])
  await context.close()
})
beforeEach(() => {
  const { redisUrl, redisPrefix } = context.config
  const connection = redisForQueues(redisUrl)
  worker = new Worker('sweep-credits', null, { connection, prefix: queuePrefix(redisPrefix) })
  worker.on('closed', () => connection.disconnect())
})
afterEach(async () => {
  await worker.close()
  await context.sweepQueue.obliterate({ force: true })
})

const sessionsDue = (count: number) =>
  insertDueSessions(context.db, ALL_BUCKETS, { count, inMs: 0 })
const credited = (members: number[]) => creditedIntervals(context.db, members)

it.runIf(isOneServer())(
  'a sweep of all buckets leaves what exceeds one statement to a job for each range',
  async () => {
    const { sweepQueue } = context
    const members = await sessionsDue(BATCH_CREDITS + 8)
    const done = async () => (await credited(members)).filter((n) => n === 1).length
    await sweepCredits(context, { buckets: ALL_BUCKETS })
    expect(await done()).toBe(BATCH_CREDITS)
    const jobs = await sweepQueue.getJobs()
    expect(jobs.map(({ data }) => data.buckets)).toEqual(expect.arrayContaining(ranges))
    expect(jobs).toHaveLength(ranges.length)
    for (const { data } of jobs) await sweepCredits(context, data)
    expect(await done()).toBe(members.length)
    await sweepQueue.obliterate({ force: true })
    await sweepCredits(context, { buckets: ALL_BUCKETS })
    expect(await sweepQueue.getJobs()).toEqual([])
  },
)

it('a sweep of all buckets leaves them to the jobs of ranges while one is active', async () => {
  const { sweepQueue } = context
  const members = await sessionsDue(2)
  const first = ranges[0] ?? ALL_BUCKETS
  await sweepQueue.add('sweep-credits', { buckets: first }, { jobId: rangeJobId(first.first) })
  const active = await worker.getNextJob('token')
  await sweepCredits(context, { buckets: ALL_BUCKETS })
  expect(await credited(members)).toEqual([0, 0])
  expect(await sweepQueue.getWaitingCount()).toBe(ranges.length - 1)
  await active?.moveToCompleted(undefined, 'token', false)
  await sweepCredits(context, { buckets: ALL_BUCKETS })
  expect(await credited(members)).toEqual([1, 1])
})

it('of two scheduled sweeps that become active together, the first one sweeps', async () => {
  const { sweepQueue } = context
  const members = await sessionsDue(2)
  const now = Date.now()
  // The one with the older id becomes active last, like a stalled job that is run again.
  for (const due of [now, now - 1_000]) {
    const jobId = `repeat:sweep:${due}`
    await sweepQueue.add('sweep-credits', { buckets: ALL_BUCKETS }, { jobId })
  }
  const jobs = [await worker.getNextJob('token'), await worker.getNextJob('token')]
  const [first, second] = jobs
  await sweepCredits(context, { buckets: ALL_BUCKETS }, second?.id)
  expect(await credited(members)).toEqual([0, 0])
  await sweepCredits(context, { buckets: ALL_BUCKETS }, first?.id)
  expect(await credited(members)).toEqual([1, 1])
  for (const job of jobs) await job?.moveToCompleted(undefined, 'token', false)
})
