import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { takeStep } from '#db/ledger/steps'
import { startMining } from '#db/mining/mining'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS } from '#rules/buckets'
import { INTERVAL_MS, SECOND_MS } from '#rules/constants'
import { createRegistry } from '#runtime/monitoring/registry'
import { advance, freeze } from '#scripts/testing/db/clock'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { sweepCredits } from '#workers/jobs/sweep-credits'
import { workersMetrics } from './workers-metrics.ts'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
  await freeze(context.db)
})
afterAll(() => context.close())

const figure = async (name: string, registry = context.metrics.registry) =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value
const lag = (registry = context.metrics.registry) => figure('credit_lag_seconds', registry)

it('credit_lag_seconds rises at each scrape while no sweep runs, and a sweep returns it to 0', async () => {
  const userId = await insertMember(context.db)
  const startedAt = startedBefore(await productNow(context.db), 1) + 2 * SECOND_MS
  await insertSessions(context.db, [{ userId, startedAt }])
  const sweep = () => sweepCredits(context, { buckets: ALL_BUCKETS })
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
  const db = connect(context.fresh.url, { max: 1 })
  workersMetrics(registry, db, [])
  // The next interval of the session is due.
  await advance(context.db, INTERVAL_MS)
  const known = (await lag(registry)) ?? 0
  expect(known).toBeGreaterThan(0)
  await db.destroy()
  expect(await lag(registry)).toBeGreaterThan(known)
})

it('maintenance_steps counts the steps of each work on old rows', async () => {
  const { db, metrics } = context
  for (const step of ['created', 'mirrored'])
    await takeStep(db, 'merge partitions', async () => step)
  const text = await metrics.registry.getSingleMetricAsString('maintenance_steps')
  expect(text).toContain('maintenance_steps{work="merge partitions"} 2')
})

it('sessions_active, mining_tesp_per_second and sessions_quarantined follow the sessions', async () => {
  const { db } = context
  const userId = await insertMember(db)
  const active = (await figure('sessions_active')) ?? 0
  const earned = (await figure('mining_tesp_per_second')) ?? 0
  await inTransaction(db, (tx) => startMining(tx, userId))
  expect(await figure('sessions_active')).toBe(active + 1)
  expect(await figure('mining_tesp_per_second')).toBeCloseTo(earned + 0.1 / 3_600, 10)
  expect(await figure('sessions_quarantined')).toBe(0)
  const quarantine = { quarantinedAt: db.fn.now(), quarantineReason: '23514: test' }
  await db('mining_sessions').where({ userId }).update(quarantine)
  expect(await figure('sessions_quarantined')).toBe(1)
})

it('gauges are read once for a scrape, and are NaN if Postgres cannot be read', async () => {
  const registry = createRegistry()
  const db = connect(context.fresh.url, { max: 1 })
  let reads = 0
  db.on('query', ({ sql }: { sql: string }) => {
    if (/from "?reminders\b/.test(sql)) reads += 1
  })
  workersMetrics(registry, db, [])
  expect(await registry.metrics()).toMatch(/^reminders_waiting 0$/m)
  expect(reads).toBe(1)
  await db.destroy()
  const text = await registry.metrics()
  expect(text).toMatch(/^sessions_active NaN$/im)
  expect(text).toMatch(/^mails_waiting NaN$/im)
})

it('queue_jobs counts the jobs of each queue by state', async () => {
  const { mailQueue, metrics } = context
  await mailQueue.add('send-mail', { mailId: 1 })
  await mailQueue.add('send-mail', { mailId: 2 }, { delay: 60_000 })
  await mailQueue.add('send-mail', { mailId: 3 }, { priority: 1 })
  const text = await metrics.registry.metrics()
  expect(text).toContain('queue_jobs{queue="send-mail",state="waiting"} 2')
  expect(text).toContain('queue_jobs{queue="send-mail",state="delayed"} 1')
  expect(text).toContain('queue_jobs{queue="sweep-credits",state="waiting"} 0')
})
