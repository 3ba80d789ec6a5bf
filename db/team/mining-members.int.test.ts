import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { productNow } from '#db/postgres/connection/product-clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { readMiningMembers } from './team.ts'

let fresh: FreshDatabase
let leader: number
let team: number[]
let miners: number[]

beforeAll(async () => {
  fresh = await freshDatabase()
  const { db } = fresh
  leader = await insertMember(db)
  team = await insertMembers(db, 40)
  await db('users').whereIn('id', team).update({ referredBy: leader })
  const strangers = await insertMembers(db, 4_000)
  miners = team.filter((_, at) => at % 4 === 0)
  const now = await productNow(db)
  await insertSessions(
    db,
    [...miners, ...strangers].map((userId, at) => ({
      userId,
      startedAt: startedBefore(now, 3, at),
    })),
  )
  await db.raw('vacuum analyze users')
  await db.raw('vacuum analyze mining_sessions')
})
afterAll(() => fresh.close())

it('only direct members with a running session are mining now, newest first', async () => {
  await fresh
    .db('mining_sessions')
    .where({ userId: miners[0] })
    .update({ active: false, status: 'stopped', endTime: fresh.db.fn.now() })
  const running = miners.slice(1).reverse()
  expect(await readMiningMembers(fresh.db, leader, 100)).toEqual({
    total: running.length,
    memberIds: running,
    wakeable: [],
    reminded: [],
  })
})

it('the number counts members beyond the limit of ids', async () => {
  const { total, memberIds } = await readMiningMembers(fresh.db, leader, 3)
  expect(total).toBeGreaterThan(3)
  expect(memberIds).toHaveLength(3)
})

it('a member without a team has nobody mining', async () => {
  const [alone = 0] = team
  expect(await readMiningMembers(fresh.db, alone, 100)).toMatchObject({ total: 0, memberIds: [] })
})

it('the members of one team are found by index, whatever the number of sessions', async () => {
  let sent = ''
  fresh.db.once('query', ({ sql }: { sql: string }) => {
    sent = sql
  })
  await readMiningMembers(fresh.db, leader, 100)
  const plan = await withClient(fresh.url, async (client) => {
    const { rows } = await client.query(`explain (generic_plan) ${sent}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('users_referred_by')
  expect(plan).toContain('mining_sessions_one_active')
  expect(plan).not.toContain('Seq Scan')
})
