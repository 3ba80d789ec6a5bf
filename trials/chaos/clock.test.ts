import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { CLAIM_COOLDOWN_MS, HOUR_MS, INTERVALS, SESSION_MS } from '#rules/constants'
import { ROOT } from '#runtime/process/root'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'
import { reportTime } from '#trials/kit/report'
import { dueSessions } from '#trials/kit/seed'
import { Stage } from '#trials/kit/stage'

/**
 * Functions that replace `now()`, `statement_timestamp()` and `clock_timestamp()` in one database.
 * They precede pg_catalog in its search path, so statements, functions and defaults all use them.
 */
const SHADOWS = `
  create schema shifted;
  create table shifted.clock (shift interval not null);
  insert into shifted.clock values ('0');
  grant usage on schema shifted to public;
  create function shifted.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() + shift from shifted.clock';
  create function shifted.statement_timestamp() returns timestamptz language sql stable as
    'select pg_catalog.statement_timestamp() + shift from shifted.clock';
  create function shifted.now() returns timestamptz language sql stable as
    'select pg_catalog.now() + shift from shifted.clock';
  do $$ declare c record; begin
    for c in select table_name, column_name from information_schema.columns
      where table_schema = 'public' and column_default = 'now()'
    loop
      execute format('alter table public.%I alter column %I set default shifted.now()',
        c.table_name, c.column_name);
    end loop;
  end $$`

/** Prepares a database for `shiftDatabase`; connections that are already open are not affected. */
async function shiftableDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(SHADOWS)
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database "${name}" set search_path = public, shifted, pg_catalog`)
  })
}

/** Sets the database's clock `ms` ahead of real time, or behind it if negative. */
async function shiftDatabase(url: string, ms: number): Promise<void> {
  await withClient(url, (client) =>
    client.query(`update shifted.clock set shift = $1 * interval '1 millisecond'`, [ms]),
  )
}

type Clocks = { database: boolean; processes: boolean }

const SESSIONS = 20
/**
 * Longer than the minute between two checks for missed credits: a sweep may pass the due second while
 * a slow machine still inserts its sessions.
 */
const CREDITED_MS = 90_000
/** Of a test that waits for credits several times. */
const TEST_MS = 300_000
/** `--import` of every process: shifts its clock by the content of a file. */
const PRELOAD = path.join(ROOT, 'trials/testing/shifted-clock.mjs')

let place: TestDatabase
let stage: Stage
let shiftFile: string

beforeAll(async () => {
  place = await testDatabase()
  await shiftableDatabase(place.url)
  const folder = fs.mkdtempSync('/tmp/tesp-clock-')
  shiftFile = path.join(folder, 'shift')
  fs.writeFileSync(shiftFile, '0')
  stage = await Stage.start(place, {
    workers: 2,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(PRELOAD).href}`, CLOCK_SHIFT_FILE: shiftFile },
  })
})
afterAll(async () => {
  await stage?.stop()
  await place?.drop()
  fs.rmSync(path.dirname(shiftFile), { recursive: true, force: true })
})

/** Sets the clocks `ms` ahead of real time, or behind it if negative. */
async function shift(clocks: Clocks, ms: number): Promise<void> {
  if (clocks.database) await shiftDatabase(place.url, ms)
  if (!clocks.processes) return
  fs.writeFileSync(shiftFile, String(ms))
  for (const process of stage.processes) process.signal('SIGUSR2')
  const wrong = () =>
    stage.processes.filter(({ pid }) => fs.readFileSync(`${shiftFile}.${pid}`, 'utf8') !== `${ms}`)
  await expect.poll(() => wrong().length).toBe(0)
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

/** Signs in again if the gateway's clock says that the one-day auth session has expired. */
async function ensureSignedIn(visitor: Visitor): Promise<void> {
  const { status } = await visitor.call('GET /api/user')
  if (status === 401) expect((await visitor.login()).status).toBe(200)
}

const requestCode = (visitor: Visitor, email: string) =>
  visitor.call('POST /api/verify/send-otp', { body: { email } })

/** Proves that jobs run: due intervals are credited. */
async function expectCredits(step: string): Promise<void> {
  const since = Date.now()
  const { fewestCredits: credited } = await dueSessions(stage.product.db, SESSIONS)
  await expect.poll(credited, { timeout: CREDITED_MS, interval: 100 }).toBeGreaterThanOrEqual(2)
  reportTime(step, Date.now() - since)
}

describe.each<[string, Clocks]>([
  ['database clock', { database: true, processes: false }],
  ['clock of gateways and workers', { database: false, processes: true }],
  ['clock of every machine', { database: true, processes: true }],
])('%s', (name, clocks) => {
  it(
    `the ${name} one hour behind keeps times in bounds, pays nothing twice and runs jobs`,
    async () => {
      const member = await newMember(stage.product)
      const claimer = await newMember(stage.product, 1)
      expect((await member.call('POST /api/mining/start')).status).toBe(200)
      await earnAndClaim(claimer)
      const visitor = new Visitor(stage.product)
      const email = `${randomUUID()}@test.example`
      expect((await requestCode(visitor, email)).status).toBe(200)
      const { fewestCredits: creditedBefore } = await dueSessions(stage.product.db, SESSIONS)
      await expect.poll(creditedBefore, { timeout: CREDITED_MS, interval: 100 }).toBe(2)

      await shift(clocks, -HOUR_MS)
      expect((await statusOf(member)).active).toBe(true)
      await statusOf(claimer)
      await expectCredits(`${name}, one hour behind: due intervals credited after`)
      expect(await creditedBefore()).toBe(2)
      expect((await member.call('POST /api/mining/stop')).status).toBe(200)
      expect((await member.call('POST /api/mining/start')).status).toBe(200)
      await new Visitor(stage.product).register()
      const { headers } = await requestCode(visitor, email)
      expect(Number(headers.get('Retry-After') ?? 0)).toBeLessThanOrEqual(60)

      await shift(clocks, 0)
      await statusOf(member)
      await expectCredits(`${name}, corrected: due intervals credited after`)
      await expectCleanAudit(stage.product)
    },
    TEST_MS,
  )

  it(
    `the ${name} 26 hours ahead ends sessions at 72 intervals and recovers`,
    async () => {
      const member = await newMember(stage.product)
      expect((await member.call('POST /api/mining/start')).status).toBe(200)
      const device = new Visitor(stage.product)
      device.jar = member.jar.copy()
      const { fewestCredits: credited } = await dueSessions(stage.product.db, SESSIONS)
      await shift(clocks, 26 * HOUR_MS)
      if (clocks.database) {
        await expect.poll(credited, { timeout: CREDITED_MS, interval: 100 }).toBe(INTERVALS)
      } else {
        await expectCredits(`${name}, 26 hours ahead: due intervals credited after`)
      }
      await ensureSignedIn(member)
      await statusOf(member)

      await shift(clocks, 0)
      const status = await statusOf(device)
      expect(status.session?.isCompleted).toBe(clocks.database)
      await expectCredits(`${name}, corrected after 26 hours: due intervals credited after`)
      await expectCleanAudit(stage.product)
      expect(await stage.unexpectedExits()).toEqual([])
    },
    TEST_MS,
  )
})

/** Earns and claims rewards, which starts the claim cooldown. */
async function earnAndClaim(visitor: Visitor): Promise<void> {
  expect((await visitor.call('POST /api/mining/start')).status).toBe(200)
  await sleep(50)
  expect((await visitor.call('POST /api/mining/stop')).status).toBe(200)
  expect((await visitor.call('POST /api/mining/claim')).status).toBe(200)
}
