import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { enqueueMail } from '#db/mails'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, BUCKETS } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { freePort } from '#runtime/config/free-port'
import { removeKeys } from '#scripts/testing/db/database'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { jobQueue } from './queue.ts'
import { startWorkers } from './server.ts'

let context: TestContext
let workers: { close(): Promise<void> } | undefined
let health: string

beforeAll(async () => {
  const port = await freePort()
  health = `http://127.0.0.1:${port}`
  context = await testContext({ WORKERS_PORT: String(port) })
  workers = await startWorkers(context.config)
})
afterAll(async () => {
  await workers?.close()
  await context.close()
})

const uncredited = () =>
  context.db('mining_sessions').where({ creditedIntervals: 0 }).count('* as left').first()

/** Longer than the minute between two checks for intervals that the sweeps missed. */
const CHECKED = { timeout: 120_000 }

async function dueSessions(count: number) {
  const members = await insertMembers(context.db, BUCKETS)
  // Due in the future: a sweep may run before the insert.
  const startedAt = startedBefore(await productNow(context.db), 1) + 500
  const step = Math.floor(BUCKETS / count)
  await insertSessions(
    context.db,
    members.filter((id) => id % step === 0).map((userId) => ({ userId, startedAt })),
  )
}

it('due sessions of every range of buckets are credited', async () => {
  await dueSessions(40)
  await expect.poll(uncredited, CHECKED).toEqual({ left: 0 })
})

it('schedules are rebuilt after Redis is wiped', async () => {
  await removeKeys(context.config.redisUrl, context.config.redisPrefix)
  await dueSessions(40)
  await expect.poll(uncredited, CHECKED).toEqual({ left: 0 })
  const boards = await jobQueue('rebuild-week-board', context.redis, context.config.redisPrefix)
  await expect.poll(() => boards.getGlobalConcurrency()).toBe(1)
  await boards.close()
  expect((await audit(context.db)).problems).toEqual([])
})

it('a lost schedule is written again, though another release has one in its place', async () => {
  const { redis, config } = context
  const mails = await jobQueue('queue-mails', redis, config.redisPrefix)
  const template = { name: 'queue-mails', data: {} }
  await mails.upsertJobScheduler('of-another-release', { every: DAY_MS }, template)
  await mails.removeJobScheduler('lost-mails')
  const ids = async () => (await mails.getJobSchedulers()).map(({ key }) => key).sort()
  const all = ['lost-mails', 'new-mails', 'of-another-release']
  await expect.poll(ids, { timeout: 20_000 }).toEqual(all)
  await mails.removeJobScheduler('of-another-release')
  await mails.close()
})

it('sweeps that a clock has put off by half a minute are due again in seconds', async () => {
  const { redis, config } = context
  const sweeps = await jobQueue('sweep-credits', redis, config.redisPrefix)
  const next = async () => Number((await sweeps.getJobScheduler('sweep'))?.next) - Date.now()
  const template = { name: 'sweep-credits', data: { buckets: ALL_BUCKETS } }
  const startDate = Date.now() + 28_000
  await sweeps.removeJobScheduler('sweep')
  await sweeps.upsertJobScheduler('sweep', { every: 1_000, startDate }, template)
  expect(await next()).toBeGreaterThan(20_000)
  await expect.poll(next, { timeout: 12_000 }).toBeLessThan(4_000)
  await sweeps.close()
})

it('a mail is sent within moments of its commit, with nobody queueing it', async () => {
  const mail = { to: 'a@test.example', subject: 's', text: 't' }
  const id = await inTransaction(context.db, (tx) => enqueueMail(tx, context.config.dataKey, mail))
  const sent = () => context.db('mails').where({ id }).whereNotNull('sentAt')
  await expect.poll(sent, { timeout: 20_000 }).toHaveLength(1)
})

it('the health server answers /healthz, /readyz and /metrics', async () => {
  const answer = async (path: string) => {
    const response = await fetch(`${health}${path}`)
    return { status: response.status, text: await response.text() }
  }
  expect(await answer('/healthz')).toEqual({ status: 200, text: '{"ok":true}' })
  expect(await answer('/readyz')).toEqual({ status: 200, text: '{"ok":true}' })
  expect((await answer('/nothing')).status).toBe(404)
  const { text } = await answer('/metrics')
  expect(text).toContain('credit_lag_seconds')
  expect(text).toContain('queue_jobs{queue="maintenance",state="active"}')
  expect(text).toContain('jobs_failed_total{queue="sweep-credits"} 0')
  expect(text).toContain('mail_attempts_total{result="failed"} 0')
  expect(text).toContain('mail_attempts_total{result="skipped"} 0')
  expect(text).toContain('database_pool_connections{pool="workers",state="used"}')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(Number(/^credits_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(80)
})

it('the workers end while a probe holds a connection that has sent nothing', async () => {
  const { hostname, port } = new URL(health)
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  // Connections are accepted in their order.
  await fetch(`${health}/healthz`)
  await workers?.close()
  workers = undefined
})
