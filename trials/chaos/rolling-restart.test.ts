import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'
import { SPEED } from '#trials/kit/checks'
import { type Load, startLoad } from '#trials/kit/load'
import { reportTime } from '#trials/kit/report'
import { Stage } from '#trials/kit/stage'

const MEMBERS = 6
const EMAIL = 'before-the-rotation@test.example'

let place: TestDatabase
let stage: Stage
let load: Load

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, { gateways: 2, workers: 2, speed: SPEED })
  load = await startLoad(stage.product, MEMBERS, 23)
})
afterAll(async () => {
  await stage?.stop()
  await place?.drop()
})

/** Rolls all processes with these settings and waits until members are paid again. */
async function roll(change: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = Date.now()
  expect(await stage.roll(change)).toEqual([0, 0, 0, 0])
  reportTime('rolling restart of four processes', Date.now() - startedAt)
  const paid = load.tally.claims.size
  await expect.poll(() => load.tally.claims.size).toBeGreaterThan(paid)
}

const statusOf = async (member: Visitor) => (await member.call('GET /api/user')).status

it('keys are replaced by rolling restarts under load: nothing is lost, nobody is signed out', async () => {
  const idle = await newMember(stage.product)
  const visitor = new Visitor(stage.product)
  await visitor.call('POST /api/verify/send-otp', { body: { email: EMAIL } })
  const otp = await visitor.codeOf(EMAIL)
  const before = { session: stage.env.SESSION_KEYS, data: stage.env.DATA_KEY }
  const session = randomBytes(32).toString('hex')
  const data = randomBytes(32).toString('base64')

  // The steps of docs/operations/secrets.md.
  await roll({
    SESSION_KEYS: `${before.session},${session}`,
    DATA_KEY: `${before.data},${data}`,
  })
  await roll({
    SESSION_KEYS: `${session},${before.session}`,
    DATA_KEY: `${data},${before.data}`,
  })
  const verified = await visitor.call('POST /api/verify/verify-otp', {
    body: { email: EMAIL, otp },
  })
  expect(verified.status).toBe(200)
  expect(await Promise.all(load.visitors.map(statusOf))).toEqual(Array(MEMBERS).fill(200))
  expect(await load.stop()).toEqual([])
  const signedOut = Object.keys(load.tally.responses).filter((name) => name.startsWith('401 '))
  expect(signedOut).toEqual([])

  // 30 days later: only who signed in since the second step has a signature of the new key.
  for (const member of load.visitors) expect((await member.login()).status).toBe(200)
  expect(await stage.roll({ SESSION_KEYS: session })).toEqual([0, 0, 0, 0])
  expect(await Promise.all(load.visitors.map(statusOf))).toEqual(Array(MEMBERS).fill(200))
  expect(await statusOf(idle)).toBe(401)
  expect(await stage.unexpectedExits()).toEqual([])
})
