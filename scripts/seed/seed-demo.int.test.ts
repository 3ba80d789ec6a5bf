import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { strayLedgerRows } from '#db/ledger/partitions'
import { passwordFits } from '#gateway/auth/passwords'
import { ROOT } from '#runtime/process/root'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { noSettings } from '#scripts/testing/spawn-command'
import { DEMO_LEADER, DEMO_PASSWORD, DEMO_TEAM } from './demo-members.ts'
import { seedDemo } from './seed-demo.ts'

let fresh: FreshDatabase
let clock: unknown

beforeAll(async () => {
  fresh = await freshDatabase()
  clock = await fresh.db('product_clock').first()
  expect(await seedDemo(fresh.db, fresh.dataKey)).toBe(true)
})
afterAll(() => fresh.close())

it('the demo member has a session, wallet history, a team, a task and pending rewards', async () => {
  const { db } = fresh
  const member = await db('users').where({ username: DEMO_LEADER }).first()
  const userId = member.id
  expect(await passwordFits(member.password, DEMO_PASSWORD)).toBe(true)
  expect(member).toMatchObject({ teamSize: DEMO_TEAM.length, teamLevel: 1 })
  const session = await db('mining_sessions').where({ userId, active: true }).first()
  expect(session.creditedIntervals).toBe(15)
  const stats = await db('mining_stats').where({ userId }).first()
  expect(Number(stats.pendingRewards)).toBeGreaterThan(0)
  expect(Number(stats.pendingUsdtRewards)).toBeGreaterThan(0)
  const ids: string[] = await db('wallet_activity').where({ userId }).pluck('id')
  const kinds = new Set(ids.map((id) => id.split(':')[0]))
  expect(kinds).toEqual(new Set(['credit', 'claim', 'task', 'milestone']))
})

it('the seeded books pass the audit and lie in daily partitions', async () => {
  const { problems } = await audit(fresh.db)
  expect(problems).toEqual([])
  expect(await strayLedgerRows(fresh.db)).toBe(0)
})

it('seeding leaves the product clock unchanged and sends no mail', async () => {
  expect(await fresh.db('product_clock').first()).toEqual(clock)
  expect(await fresh.db('mails')).toEqual([])
})

it('a second seeding writes nothing', async () => {
  const count = () => fresh.db('wallet_activity').count()
  const before = await count()
  expect(await seedDemo(fresh.db, fresh.dataKey)).toBe(false)
  expect(await count()).toEqual(before)
})

it('npm run seed refuses production', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'seed'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...noSettings, NODE_ENV: 'production', DATABASE_URL: fresh.url },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('refuses NODE_ENV=production')
})
