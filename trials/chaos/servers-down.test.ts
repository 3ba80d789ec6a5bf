import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMining } from '#db/mining/mining'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { buildWeekBoard } from '#scripts/testing/gateway/build-week-board'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { SPEED } from '#trials/kit/checks'
import { startLoad } from '#trials/kit/load'
import { reportTime } from '#trials/kit/report'
import { dueSessions } from '#trials/kit/seed'
import { Stage } from '#trials/kit/stage'
import { type OwnServers, ownServers } from '#trials/testing/own-servers'
import { requestEverything } from '#trials/testing/request-everything'
import { jobQueue } from '#workers/queue'
import { SCHEDULES } from '#workers/schedules'

/**
 * Longer than everything that Redis limits in time while it is frozen: commands (2 s), job locks
 * and stalled checks (4 s under JOB_LOCK_MS), socket checks of the gateway (every 15 s).
 */
const FROZEN_MS = Number(process.env.FROZEN_S ?? 16) * 1_000

/** The bound: a poll sent this long after a commit shows it (decision 17). */
const BOUND_MS = 5_000

let servers: OwnServers
let stage: Stage

beforeAll(async () => {
  servers = await ownServers()
  stage = await Stage.start(servers, { workers: 2, speed: SPEED, env: { JOB_LOCK_MS: '3000' } })
})
afterAll(async () => {
  await stage?.stop()
  await servers?.drop()
})

const readStatus = async (visitor: Visitor, gateway: number) =>
  (await visitor.call('GET /api/mining/status', { gateway })).status

it('two Postgres restarts under load cause only 503 responses and no partial transaction', async () => {
  const load = await startLoad(stage.product, 6, 5)
  const visitor = load.visitors[0] as Visitor
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    await sleep(1_000)
    const pid = servers.pid('postgres')
    const killedAt = Date.now()
    process.kill(pid, signal)
    await expect.poll(() => servers.pid('postgres')).not.toBe(pid)
    for (const gateway of [0, 1]) {
      await expect.poll(() => readStatus(visitor, gateway)).toBe(200)
    }
    reportTime(`Postgres ended by ${signal}: both gateways answer after`, Date.now() - killedAt)
  }
  await sleep(1_000)
  expect(await load.stop()).toEqual([])
  expect(load.tally.unavailable).toBeGreaterThan(0)
  expect(await stage.unexpectedExits()).toEqual([])
})

it('an emptied Redis requires a new sign-in; credits, schedules and pushes recover', async () => {
  const member = await newMember(stage.product)
  const { uncredited } = await dueSessions(stage.product.db)
  const pid = servers.pid('valkey')
  const killedAt = Date.now()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => servers.pid('valkey')).not.toBe(pid)
  await expect.poll(() => readStatus(member, 0)).toBe(401)
  await expect.poll(async () => (await member.login()).status).toBe(200)
  reportTime('Redis emptied: signed in after', Date.now() - killedAt)
  await expect.poll(uncredited, { timeout: 90_000, interval: 100 }).toBe(0)
  reportTime('Redis emptied: due intervals credited after', Date.now() - killedAt)
  await expect.poll(scheduleCount).toBe(SCHEDULES.length)

  // Gateway 1 pushes a command of gateway 0 only if its subscription was restored.
  const socket = await member.connected(1)
  const pushed = new Promise((resolve) => socket.once('changed', resolve))
  expect((await member.call('POST /api/mining/start', { gateway: 0 })).status).toBe(200)
  expect(await pushed).toMatchObject({ mining: { active: true } })
  member.disconnect()
  await expectCleanAudit(stage.product)
  expect(await stage.unexpectedExits()).toEqual([])
})

it('polls show within 5 s what was committed while Redis was down', async () => {
  const member = await newMember(stage.product)
  const poll = (headers: Record<string, string> = {}) =>
    member.fetch('/api/mining/status', 1, { headers })
  const etag = (await poll()).headers.get('ETag') ?? ''
  const pid = servers.pid('valkey')
  process.kill(pid, 'SIGKILL')
  await inTransaction(stage.product.db, (tx) => startMining(tx, member.user?.id ?? 0))
  await sleep(BOUND_MS)
  await expect.poll(() => servers.pid('valkey')).not.toBe(pid)
  await expect.poll(async () => (await member.login()).status).toBe(200)
  let answer = await poll({ 'If-None-Match': etag })
  // Until this gateway is connected to Redis again.
  const status = async () => {
    if (answer.status === 503) answer = await poll({ 'If-None-Match': etag })
    return answer.status
  }
  await expect.poll(status).not.toBe(503)
  expect([answer.status, await answer.json()]).toMatchObject([200, { active: true }])
})

async function scheduleCount(): Promise<number> {
  const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: null })
  const queues = [...new Set(SCHEDULES.map(({ job }) => job))]
  const counts = await Promise.all(
    queues.map(async (name) => {
      const queue = await jobQueue(name, redis, servers.redisPrefix)
      return queue.getJobSchedulersCount()
    }),
  )
  redis.disconnect()
  return counts.reduce((sum, count) => sum + count, 0)
}

it('requests are answered while Redis is frozen, and everything recovers', async () => {
  const member = await newMember(stage.product)
  process.kill(servers.pid('valkey'), 'SIGSTOP')
  const frozenAt = Date.now()
  const { uncredited } = await dueSessions(stage.product.db)
  const outcomes = []
  while (Date.now() < frozenAt + FROZEN_MS) {
    outcomes.push(...(await requestEverything(member)))
    await sleep(1_000)
  }
  process.kill(servers.pid('valkey'), 'SIGCONT')
  const thawedAt = Date.now()
  expect(outcomes.filter(({ problem }) => problem)).toEqual([])
  const unavailable = outcomes.filter(({ status }) => status === 503)
  expect(unavailable.length).toBeGreaterThan(outcomes.length / 3)
  reportTime('Redis frozen: slowest response', Math.max(...outcomes.map(({ ms }) => ms)))
  for (const gateway of [0, 1]) {
    await expect.poll(() => readStatus(member, gateway)).toBe(200)
  }
  reportTime('Redis thawed: both gateways answer after', Date.now() - thawedAt)
  await expect.poll(uncredited, { timeout: 60_000, interval: 100 }).toBe(0)
  reportTime('Redis thawed: due intervals credited after', Date.now() - thawedAt)
  await expectCleanAudit(stage.product)
  expect(await stage.unexpectedExits()).toEqual([])
})

it('the board of the week is the same within seconds on an emptied Redis', async () => {
  const member = await newMember(stage.product)
  const mined = async () => (await member.balances()).tesp
  await member.call('POST /api/mining/start')
  await expect.poll(mined).not.toBe('0.00000000')
  await setClockSpeed(stage.product.db, 1)
  await member.call('POST /api/mining/stop')
  const board = async () => (await member.call('GET /api/referral/week')).body.team
  await buildWeekBoard(stage.product)
  const before = await board()
  expect(before?.rows[0]?.tesp).toBe(await mined())
  const pid = servers.pid('valkey')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => servers.pid('valkey')).not.toBe(pid)
  await expect.poll(async () => (await member.login()).status).toBe(200)
  await expect.poll(board).toEqual(before)
})
