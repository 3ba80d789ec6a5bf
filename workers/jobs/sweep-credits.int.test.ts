import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { rangesToSweep } from '#db/mining/sweep'
import { productNow } from '#db/postgres/connection/product-clock'
import { ALL_BUCKETS, type BucketRange } from '#rules/buckets'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import { creditSlot } from '#rules/money/mining'
import { type Change, ChangeChannel } from '#runtime/pubsub'
import { advance, freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { creditedIntervals, insertDueSessions } from '#scripts/testing/workers/uncredited-sessions'
import { endSessionsDue } from './end-sessions.ts'
import { checkCredits, sweepCredits } from './sweep-credits.ts'

let context: TestContext
let buckets: BucketRange
let otherBuckets: BucketRange
let changes: Change[]
let subscriber: Redis

beforeAll(async () => {
  context = await testContext()
  await freeze(context.db)
  const ranges = await rangesToSweep(context.db)
  ;[, buckets = ALL_BUCKETS, otherBuckets = ALL_BUCKETS] = ranges
  subscriber = new Redis(context.config.redisUrl)
  const { config, log } = context
  await new ChangeChannel(subscriber, config.redisPrefix, log).subscribe((change) =>
    changes.push(change),
  )
})
afterAll(async () => {
  expect((await audit(context.db)).problems).toEqual([])
  subscriber.disconnect()
  await context.close()
})
beforeEach(() => {
  changes = []
})

const sessionsDueIn = (inMs: number, count: number, intervals = 1) =>
  insertDueSessions(context.db, buckets, { inMs, count, intervals })
const credited = (members: number[]) => creditedIntervals(context.db, members)
const sweep = () => sweepCredits(context, { buckets })
const publishedIds = () =>
  changes
    .flatMap((change) => (change.kind === 'members' ? change.memberIds : []))
    .sort((a, b) => a - b)

it('a sweep credits what fell due since the last one and publishes the members', async () => {
  await sweep()
  const members = await sessionsDueIn(1_500, 3)
  await advance(context.db, SECOND_MS)
  await sweep()
  expect(await credited(members)).toEqual([0, 0, 0])
  await advance(context.db, SECOND_MS)
  await sweep()
  expect(await credited(members)).toEqual([1, 1, 1])
  await expect.poll(publishedIds).toEqual(members)
  expect(changes[0]).toMatchObject({ topics: expect.arrayContaining(['mining', 'wallet']) })
})

it.runIf(isOneServer())('a sweep is one statement, whether sessions are due or not', async () => {
  // At the end of the slot cycle a sweep takes two statements.
  if (creditSlot(await productNow(context.db)) > 1_190) await advance(context.db, MINUTE_MS)
  await sweep()
  const members = await sessionsDueIn(500, 3)
  await advance(context.db, SECOND_MS)
  let statements = 0
  const count = () => {
    statements += 1
  }
  context.db.on('query', count)
  await sweep()
  await sweep()
  context.db.removeListener('query', count)
  expect(await credited(members)).toEqual([1, 1, 1])
  expect(statements).toBe(2)
})

it.runIf(!isOneServer())('on Citus an idle sweep is two statements', async () => {
  await sweep()
  let statements = 0
  const count = () => {
    statements += 1
  }
  context.db.on('query', count)
  await sweep()
  context.db.removeListener('query', count)
  expect(statements).toBe(2)
})

it('a sweep credits only its buckets', async () => {
  const members = await sessionsDueIn(0, 2)
  await sweepCredits(context, { buckets: otherBuckets })
  expect(await credited(members)).toEqual([0, 0])
  await sweep()
  expect(await credited(members)).toEqual([1, 1])
})

it('a sweep credits all intervals missed in an outage, and the credit lag returns to 0', async () => {
  const members = await sessionsDueIn(0, 2, 9)
  expect(await creditLagSeconds(context.db)).toBeCloseTo(8 * 20 * 60, 3)
  await sweep()
  expect(await credited(members)).toEqual([9, 9])
  expect(await creditLagSeconds(context.db)).toBe(0)
})

it('the check of all sessions returns missed intervals to the sweeps', async () => {
  await sweep()
  const members = await sessionsDueIn(-5 * MINUTE_MS, 2)
  await sweep()
  expect(await credited(members)).toEqual([0, 0])
  await checkCredits(context, {})
  expect(await creditLagSeconds(context.db)).toBe(5 * 60)
  await sweep()
  expect(await credited(members)).toEqual([1, 1])
  expect(await creditLagSeconds(context.db)).toBe(0)
})

it('a job that is delivered several times credits once', async () => {
  const members = await sessionsDueIn(0, 3, 2)
  await Promise.all([1, 2, 3].map(sweep))
  expect(await credited(members)).toEqual([2, 2, 2])
  const rows = await context.db('wallet_activity').whereIn('userId', members)
  expect(rows).toHaveLength(6)
})

it('credits are written even when their changes cannot be published', async () => {
  const members = await sessionsDueIn(0, 1)
  const redis = new Redis({ lazyConnect: true, retryStrategy: null, port: 1 })
  redis.on('error', () => {})
  const unreachable = new ChangeChannel(redis, context.config.redisPrefix, context.log)
  await sweepCredits({ ...context, changes: unreachable }, { buckets })
  expect(await credited(members)).toEqual([1])
  redis.disconnect()
})

it('a session with 72 credits is completed once', async () => {
  const [member = 0] = await sessionsDueIn(-2 * HOUR_MS, 1, 72)
  const session = () => context.db('mining_sessions').where({ userId: member }).first()
  await endSessionsDue(context, {})
  expect((await session()).active).toBe(true)
  await sweep()
  await endSessionsDue(context, {})
  const ended = await session()
  expect(ended).toMatchObject({
    active: false,
    status: 'completed',
    reward: '2.40000000',
    rewardClaimed: true,
  })
  expect(ended.endTime.getTime() - ended.startTime.getTime()).toBe(24 * HOUR_MS)
  const stats = await context.db('mining_stats').where({ userId: member }).first()
  expect(stats.totalMined).toBe('2.40000000')
  await expect.poll(publishedIds).toContain(member)
  await endSessionsDue(context, {})
  const again = await context.db('mining_stats').where({ userId: member }).first()
  expect(again.totalMined).toBe('2.40000000')
})
