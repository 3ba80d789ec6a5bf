import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { quantile } from '#trials/bench/measure'
import { Forked } from '#trials/kit/fork'
import { reportTime } from '#trials/kit/report'
import { signedInMembers } from '#trials/kit/seed'
import { Stage } from '#trials/kit/stage'
import type { CrowdCalls } from './crowd-process.ts'

const SOCKETS = 500
const MEMBERS = 20

let place: TestDatabase
let stage: Stage
let crowd: Forked<CrowdCalls>

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, { workers: 0 })
  const members = await signedInMembers(stage.product, MEMBERS)
  const cookies = members.map(({ jar }) => jar.header() ?? '')
  const { urls } = stage.product
  crowd = new Forked('trials/chaos/crowd-process.ts')
  const options = { urls, cookies, sockets: SOCKETS, longestDelayMs: 2_000 }
  crowd.call('open', options).catch(() => {})
})
afterAll(async () => {
  crowd?.end()
  await stage?.stop()
  await place?.drop()
})

const figures = () => crowd.call('figures')
const connected = async () => (await figures()).connected

it('500 sockets reconnect after a restart of all gateways while requests are answered', async () => {
  const gateways = [stage.gateway(0), stage.gateway(1)]
  await expect.poll(connected, { timeout: 60_000 }).toBe(SOCKETS)
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGTERM')))
  await expect.poll(connected).toBe(0)
  await crowd.call('reset')
  await Promise.all(gateways.map((gateway) => gateway.start()))
  const upAt = Date.now()
  await expect.poll(connected, { timeout: 60_000, interval: 50 }).toBe(SOCKETS)
  reportTime(`${SOCKETS} sockets reconnected after`, Date.now() - upAt)
  await expect
    .poll(async () => (await figures()).latenciesMs.length)
    .toBeGreaterThanOrEqual(SOCKETS)
  reportTime('REST p95 during the reconnect', quantile((await figures()).latenciesMs, 0.95))
  expect(await figures()).toMatchObject({ errors: 0, lost: 0 })
  expect(await stage.unexpectedExits()).toEqual([])
})
