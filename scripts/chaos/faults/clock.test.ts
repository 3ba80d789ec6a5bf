import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productNow } from '#db/postgres/product-clock'
import { type TestDatabase, testDatabase } from '#db/testing/database'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { CLAIM_COOLDOWN_MS, HOUR_MS, INTERVALS, SESSION_MS } from '#rules/constants'
import { shiftableDatabase, shiftDatabase } from '#scripts/chaos/shifted-database'
import { Stage } from '#scripts/chaos/stage'
import { tell } from '#scripts/chaos/tell'
import { ROOT } from '#scripts/process/root'

const SESSIONS = 20
const PRELOAD = path.join(ROOT, 'scripts/chaos/shifted-clock.mjs')

let place: TestDatabase
let stage: Stage
let shiftFile: string

beforeAll(async () => {
  place = await testDatabase()
  await shiftableDatabase(place.url)
  const folder = fs.mkdtempSync('/tmp/tesp-clock-')
  shiftFile = path.join(folder, 'shift')
  fs.writeFileSync(shiftFile, '0')
  stage = await Stage.set(place, {
    workers: 2,
    env: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_SHIFT_FILE: shiftFile },
  })
}, 120_000)
afterAll(async () => {
  await stage?.stop()
  await place?.drop()
  fs.rmSync(path.dirname(shiftFile), { recursive: true, force: true })
})

/** From now on those clocks are that far before the real ones. */
async function jump(whose: Whose, ms: number): Promise<void> {
  if (whose.database) await shiftDatabase(place.url, ms)
  if (!whose.processes) return
  fs.writeFileSync(shiftFile, String(ms))
  stage.signal('SIGUSR2')
  await sleep(300)
}

/** Sessions of which two intervals are due by the clock as it is now. */
async function dueSessions(): Promise<() => Promise<number>> {
  const { db } = stage.product
  const startedAt = startedBefore(await productNow(db), 2)
  const members = await insertMembers(db, SESSIONS)
  const ids = await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  return async () => {
    const rows = await db('mining_sessions').whereIn('id', ids).pluck('creditedIntervals')
    return Math.min(...rows)
  }
}

async function statusOf(visitor: Visitor) {
  const { status, body } = await visitor.call('GET /api/mining/status')
  expect(status).toBe(200)
  const { remainingTime = 0, currentReward = '0' } = body.session ?? {}
  expect(remainingTime).toBeGreaterThanOrEqual(0)
  expect(remainingTime).toBeLessThanOrEqual(SESSION_MS)
  expect(Number(currentReward)).toBeGreaterThanOrEqual(0)
  expect(body.cooldown.remainingTime).toBeGreaterThanOrEqual(0)
  expect(body.cooldown.remainingTime).toBeLessThanOrEqual(CLAIM_COOLDOWN_MS)
  return body
}

/** A sign-in for a day is over on gateways whose clock says that it is; a new one is as good. */
async function signedIn(visitor: Visitor): Promise<void> {
  const { status } = await visitor.call('GET /api/user')
  if (status === 401) expect((await visitor.login()).status).toBe(200)
}

const askForCode = (visitor: Visitor, email: string) =>
  visitor.call('POST /api/verify/send-otp', { body: { email } })

/** The jobs still run: what is due is credited. */
async function expectCredits(what: string): Promise<void> {
  const since = Date.now()
  const credited = await dueSessions()
  await expect.poll(credited, { timeout: 40_000, interval: 100 }).toBeGreaterThanOrEqual(2)
  tell(what, Date.now() - since)
}

type Whose = { database: boolean; processes: boolean }

describe.each<[string, Whose]>([
  ['the database', { database: true, processes: false }],
  ['gateways and workers', { database: false, processes: true }],
  ['every machine', { database: true, processes: true }],
])('the clock of %s jumps', (name, whose) => {
  it('one hour back: times stay within their bounds, nothing is paid twice, jobs go on', async () => {
    const member = await newMember(stage.product)
    const claimer = await newMember(stage.product, 1)
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
    await earnAndClaim(claimer)
    const asker = new Visitor(stage.product)
    const email = `${randomUUID()}@test.example`
    expect((await askForCode(asker, email)).status).toBe(200)
    const before = await dueSessions()
    await expect.poll(before, { timeout: 20_000, interval: 100 }).toBe(2)

    await jump(whose, -HOUR_MS)
    expect((await statusOf(member)).active).toBe(true)
    await statusOf(claimer)
    await expectCredits(`${name}, one hour back: what is due is credited after`)
    expect(await before()).toBe(2)
    expect((await member.call('POST /api/mining/stop')).status).toBe(200)
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
    await new Visitor(stage.product).register()
    const { headers } = await askForCode(asker, email)
    expect(Number(headers.get('Retry-After') ?? 0)).toBeLessThanOrEqual(60)

    await jump(whose, 0)
    await statusOf(member)
    await expectCredits(`${name}, right again: what is due is credited after`)
    await expectCleanAudit(stage.product)
  }, 120_000)

  it('26 hours on: each session ends with its 72 intervals, and all is well when it is back', async () => {
    const member = await newMember(stage.product)
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
    const device = new Visitor(stage.product)
    device.jar = member.jar.copy()
    const credited = await dueSessions()
    await jump(whose, 26 * HOUR_MS)
    if (whose.database) {
      await expect.poll(credited, { timeout: 60_000, interval: 100 }).toBe(INTERVALS)
    } else {
      await expectCredits(`${name}, 26 hours on: what is due is credited after`)
    }
    await signedIn(member)
    await statusOf(member)

    await jump(whose, 0)
    const status = await statusOf(device)
    expect(status.session?.isCompleted).toBe(whose.database)
    await expectCredits(`${name}, right again after 26 hours: what is due is credited after`)
    await expectCleanAudit(stage.product)
    expect(await stage.deaths()).toEqual([])
  }, 120_000)
})

/** A member with something pending who claims it: the cooldown runs. */
async function earnAndClaim(visitor: Visitor): Promise<void> {
  expect((await visitor.call('POST /api/mining/start')).status).toBe(200)
  await sleep(50)
  expect((await visitor.call('POST /api/mining/stop')).status).toBe(200)
  expect((await visitor.call('POST /api/mining/claim')).status).toBe(200)
}
