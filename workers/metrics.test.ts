import { afterAll, beforeAll, expect, it } from 'vitest'
import { productNow } from '#db/postgres/product-clock'
import { createRegistry } from '#db/process/metrics'
import { advance, freeze } from '#db/testing/clock'
import { insertMember } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { SECOND_MS } from '#rules/constants'
import { type TestContext, testContext } from '#workers/testing/context'
import { sweepCredits } from './jobs/sweep-credits.ts'
import { workersMetrics } from './metrics.ts'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
  await freeze(context.db)
})
afterAll(() => context.close())

const lag = async (registry = context.metrics.registry) =>
  (await registry.getSingleMetric('credit_lag_seconds')?.get())?.values[0]?.value

it('credit_lag_seconds rises at each scrape while no sweep runs, and a sweep returns it to 0', async () => {
  const userId = await insertMember(context.db)
  const startedAt = startedBefore(await productNow(context.db), 1) + 2 * SECOND_MS
  await insertSessions(context.db, [{ userId, startedAt }])
  const sweep = () => sweepCredits(context, { shards: [userId % 8] })
  await sweep()
  expect(await lag()).toBe(0)
  await advance(context.db, 5 * SECOND_MS)
  expect(await lag()).toBe(3)
  await advance(context.db, 60 * SECOND_MS)
  expect(await lag()).toBe(63)
  await sweep()
  expect(await lag()).toBe(0)
})

it('credit_lag_seconds rises while Postgres cannot be read', async () => {
  const registry = createRegistry()
  let isAway = false
  workersMetrics(registry, async () => {
    if (isAway) throw new Error('connection refused')
    return 40
  })
  expect(await lag(registry)).toBe(40)
  isAway = true
  expect(await lag(registry)).toBeGreaterThan(40)
})
