import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { productNow } from '#db/postgres/product-clock'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { type JobName, jobQueue } from '#queue'
import { askEverything } from '#scripts/chaos/ask'
import { startLoad } from '#scripts/chaos/load'
import { type OwnServers, ownServers } from '#scripts/chaos/own-servers'
import { Stage } from '#scripts/chaos/stage'
import { tell } from '#scripts/chaos/tell'
import { SPEED } from '#scripts/chaos/torture/books'

const DUE = 200
const FROZEN_MS = 30_000

let servers: OwnServers
let stage: Stage

beforeAll(async () => {
  servers = await ownServers()
  stage = await Stage.set(servers, { workers: 2, speed: SPEED })
}, 120_000)
afterAll(async () => {
  await stage?.stop()
  await servers?.drop()
})

const call = async (visitor: Visitor, gateway: number) =>
  (await visitor.call('GET /api/mining/status', { gateway })).status

/** Sessions of members who are never asked; two intervals of each are due. */
async function dueSessions(): Promise<() => Promise<number>> {
  const { db } = stage.product
  const startedAt = startedBefore(await productNow(db), 2)
  const members = await insertMembers(db, DUE)
  const ids = await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  return async () => {
    const left = db('mining_sessions').whereIn('id', ids).where('creditedIntervals', '<', 2)
    return Number((await left.count('* as left').first())?.left)
  }
}

it('answers 503 in JSON and leaves nothing half done when Postgres is restarted twice under load', async () => {
  const load = await startLoad(stage.product, 6, 5)
  const asker = load.visitors[0] as Visitor
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    await sleep(1_000)
    const pid = servers.pid('postgres')
    const hurtAt = Date.now()
    process.kill(pid, signal)
    await expect.poll(() => servers.pid('postgres'), { timeout: 20_000 }).not.toBe(pid)
    for (const gateway of [0, 1]) {
      await expect.poll(() => call(asker, gateway), { timeout: 20_000 }).toBe(200)
    }
    tell(`Postgres ended by ${signal}: both gateways answer again after`, Date.now() - hurtAt)
  }
  await sleep(1_000)
  expect(await load.stop()).toEqual([])
  expect(load.tally.unavailable).toBeGreaterThan(0)
  expect(await stage.deaths()).toEqual([])
}, 120_000)

it('asks for a new sign-in, credits and builds its schedules anew when Redis is killed and empty', async () => {
  const member = await newMember(stage.product)
  const uncredited = await dueSessions()
  const pid = servers.pid('valkey')
  const hurtAt = Date.now()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => servers.pid('valkey'), { timeout: 20_000 }).not.toBe(pid)
  await expect.poll(() => call(member, 0), { timeout: 20_000 }).toBe(401)
  await expect.poll(async () => (await member.login()).status, { timeout: 20_000 }).toBe(200)
  tell('Redis killed and empty: signed in again after', Date.now() - hurtAt)
  await expect.poll(uncredited, { timeout: 90_000, interval: 100 }).toBe(0)
  tell('Redis killed and empty: what was due is credited after', Date.now() - hurtAt)
  await expect.poll(schedules, { timeout: 30_000 }).toEqual([8, 1, 1])

  // A press at one gateway is pushed by the other one: its subscription is back.
  const socket = await member.connected(1)
  const pushed = new Promise((resolve) => socket.once('mining', resolve))
  expect((await member.call('POST /api/mining/start', { gateway: 0 })).status).toBe(200)
  expect(await pushed).toMatchObject({ active: true })
  member.disconnect()
  await expectCleanAudit(stage.product)
  expect(await stage.deaths()).toEqual([])
}, 180_000)

async function schedules(): Promise<number[]> {
  const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: null })
  const count = async (name: JobName) => {
    const queue = jobQueue(name, redis, servers.redisPrefix)
    return queue.getJobSchedulersCount()
  }
  const counts = await Promise.all(
    (['credit-due', 'end-sessions', 'maintenance'] as const).map((name) => count(name)),
  )
  redis.disconnect()
  return counts
}

it('answers within 5 s while Redis is frozen for 30 s, and recovers by itself', async () => {
  const member = await newMember(stage.product)
  process.kill(servers.pid('valkey'), 'SIGSTOP')
  const frozenAt = Date.now()
  const uncredited = await dueSessions()
  const answers = []
  while (Date.now() < frozenAt + FROZEN_MS) {
    answers.push(...(await askEverything(member)))
    await sleep(1_000)
  }
  process.kill(servers.pid('valkey'), 'SIGCONT')
  const thawedAt = Date.now()
  const problems = answers.filter(({ problem }) => problem)
  expect(problems).toEqual([])
  expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(answers.length / 3)
  tell('Redis frozen: the slowest answer', Math.max(...answers.map(({ ms }) => ms)))
  for (const gateway of [0, 1]) {
    await expect.poll(() => call(member, gateway), { timeout: 20_000 }).toBe(200)
  }
  tell('Redis thawed: both gateways answer after', Date.now() - thawedAt)
  await expect.poll(uncredited, { timeout: 60_000, interval: 100 }).toBe(0)
  tell('Redis thawed: what was due is credited after', Date.now() - thawedAt)
  await expectCleanAudit(stage.product)
  expect(await stage.deaths()).toEqual([])
}, 180_000)
