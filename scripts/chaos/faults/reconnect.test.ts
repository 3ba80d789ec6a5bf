import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#db/testing/database'
import { type Crowd, p95, startCrowd } from '#scripts/chaos/crowd/crowd'
import { signedInMembers } from '#scripts/chaos/signed-in'
import { Stage } from '#scripts/chaos/stage'
import { tell } from '#scripts/chaos/tell'

const SOCKETS = 500
const MEMBERS = 10

let place: TestDatabase
let stage: Stage
let crowd: Crowd

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.set(place, { workers: 0 })
  const members = await signedInMembers(stage.product, MEMBERS)
  const cookies = members.map(({ jar }) => jar.header() ?? '')
  const { urls } = stage.product
  crowd = startCrowd({ urls, cookies, sockets: SOCKETS, longestDelayMs: 2_000 })
}, 120_000)
afterAll(async () => {
  crowd?.leave()
  await stage?.stop()
  await place?.drop()
})

const connected = () => crowd.figures().connected

it('takes 500 sockets back at once when all gateways are restarted, and answers meanwhile', async () => {
  await expect.poll(connected, { timeout: 30_000 }).toBe(SOCKETS)
  await Promise.all([0, 1].map((n) => stage.endGateway(n, 'SIGTERM')))
  await expect.poll(connected, { timeout: 10_000 }).toBe(0)
  crowd.forget()
  await Promise.all([0, 1].map((n) => stage.startGateway(n)))
  const upAt = Date.now()
  await expect.poll(connected, { timeout: 60_000, interval: 50 }).toBe(SOCKETS)
  tell(`${SOCKETS} sockets are back after`, Date.now() - upAt)
  await expect.poll(() => crowd.figures().restMs.length, { timeout: 20_000 }).toBe(SOCKETS)
  tell('REST p95 meanwhile', p95(crowd.figures().restMs))
  expect(crowd.figures()).toMatchObject({ wrongAnswers: 0, lost: 0 })
  expect(await stage.deaths()).toEqual([])
}, 120_000)
