import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { productNow } from '#db/postgres/connection/product-clock'
import { bucketSql } from '#rules/buckets'
import { DAY_MS, INTERVALS } from '#rules/constants'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import { ENDED_AT_ONCE, endSessions, finishedSessions } from './end-sessions.ts'

const MEMBERS = 30_000
const ENDED = 3
let fresh: FreshDatabase

/** Each member has ended sessions and a running one, of which none is over. */
beforeAll(async () => {
  fresh = await freshDatabase()
  await insertMembers(fresh.db, MEMBERS)
  await fresh.db.raw(
    `insert into mining_sessions (bucket, "userId", "startTime", "rateSince", "creditSlot",
       active, status, "endTime", "creditedIntervals")
     select ${bucketSql('u.id')}, u.id, start, start, 0, n = 0,
       case n when 0 then 'active' else 'completed' end,
       case when n > 0 then start + interval '1 day' end,
       case n when 0 then least(:last, u.id % 72) else :intervals end
     from users u, generate_series(0, :ended) n,
       lateral (select now() - n * interval '1 day' - u.id % 72 * interval '20 minutes' as start) s`,
    { ended: ENDED, intervals: INTERVALS, last: INTERVALS - 1 },
  )
  await fresh.db.raw('vacuum analyze mining_sessions')
  await fresh.db.raw('vacuum analyze mining_stats')
})
afterAll(() => fresh.close())

it('the end of sessions reads the stats of few members', async () => {
  const sent: { sql: string; bindings: unknown[] }[] = []
  const listen = (query: { sql: string; bindings: unknown[] }) => {
    if (query.sql.includes('mining_stats')) sent.push(query)
  }
  fresh.db.on('query', listen)
  expect(await endSessions(fresh.db)).toEqual([])
  fresh.db.removeListener('query', listen)
  expect(sent.length).toBeGreaterThan(0)
  await withClient(fresh.url, async (client) => {
    for (const { sql, bindings } of sent) {
      const { rows } = await client.query(`explain ${sql}`, bindings)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).not.toMatch(/Seq Scan on mining_(stats|sessions)/)
    }
  })
})

it('of many sessions that are over the longest over end first, and the next run ends the rest', async () => {
  const members = await insertMembers(fresh.db, ENDED_AT_ONCE + 1)
  const over = (await productNow(fresh.db)) - DAY_MS
  const [last, ...others] = members.map((userId, i) => ({
    ...{ userId, creditedIntervals: INTERVALS },
    startedAt: over - i * 1_000,
  }))
  await insertSessions(fresh.db, last ? [last, ...others] : [])
  expect(await finishedSessions(fresh.db)).toHaveLength(ENDED_AT_ONCE)
  const first = await endSessions(fresh.db)
  expect(new Set(first)).toEqual(new Set(others.map(({ userId }) => userId)))
  expect(await endSessions(fresh.db)).toEqual([last?.userId])
  expect(await endSessions(fresh.db)).toEqual([])
})
