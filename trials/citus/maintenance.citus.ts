import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { partitionName } from '#db/ledger/partitions'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { recordSwept, seedHistory } from '#scripts/testing/db/history'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { rollUpOldDays, sealDays } from '#workers/jobs/ledger-days'
import { maintenance } from '#workers/jobs/maintenance'
import { partitionsOf } from './testing/fixtures.ts'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
  await seedHistory(context.db)
})
afterAll(() => context.close())

/** The partitions that are rolled up after a run of the job. */
async function rolledUp(): Promise<unknown[]> {
  await rollUpOldDays(context, {})
  return context.db('ledger_rollups').whereNotNull('swappedAt')
}

/** For each partition after a run of maintenance, whether it is the month of `day`. */
async function mergeInto(day: string): Promise<boolean[]> {
  await sealDays(context, {})
  await maintenance(context, {})
  const month = day.slice(0, 'wallet_activity_yyyymm'.length)
  return (await partitionsOf(context.fresh)).map((name) => month.startsWith(name))
}

it('maintenance on Citus makes the partitions of days to come on every node', async () => {
  await advance(context.db, 20 * DAY_MS)
  await maintenance(context, {})
  const day = Math.floor((await productNow(context.db)) / DAY_MS) * DAY_MS
  expect(await partitionsOf(context.fresh)).toContain(partitionName(day + 7 * DAY_MS))
  const { rows } = await context.db.raw(
    `select count(distinct nodename || nodeport) as nodes from citus_shards
     where table_name = ?::regclass`,
    [partitionName(day)],
  )
  expect(rows[0].nodes).toBe(2)
})

it('old partitions of the ledger are sealed, rolled up and merged on Citus', async () => {
  const before = await partitionsOf(context.fresh)
  // The month before it may be merged by now.
  const day = before.find((name) => /_\d{8}$/.test(name)) ?? ''
  await advance(context.db, 60 * DAY_MS)
  await recordSwept(context.db)
  await sealDays(context, {})
  await expect.poll(rolledUp, { timeout: 60_000 }).not.toEqual([])
  await expect.poll(() => mergeInto(day), { timeout: 120_000 }).toContain(true)
  expect(await partitionsOf(context.fresh)).not.toEqual(expect.arrayContaining(before))
  expect(await context.db('ledger_seals')).not.toEqual([])
  expect((await audit(context.db)).problems).toEqual([])
})
