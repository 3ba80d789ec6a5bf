import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueMail } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import { workLag } from './background-work.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
})
afterAll(() => fresh.close())

const seconds = async () =>
  Object.fromEntries((await workLag(fresh.db)).map(({ work, seconds }) => [work, seconds]))

it('nothing is late in an empty product whose sweeps have not begun', async () => {
  expect(await seconds()).toEqual({
    'oldest due credit': 0,
    'slowest sweep': null,
    'oldest session to end': 0,
    'oldest unsent mail': 0,
    'oldest unsent reminder': 0,
    'oldest undecided document': 0,
  })
})

it('the oldest piece of work of each kind counts', async () => {
  const { db, dataKey } = fresh
  const userId = await insertMember(db)
  const { rows } = await db.raw('select product_now() as now')
  await insertSessions(db, [{ userId, startedAt: rows[0].now.getTime() }])
  await advance(db, 24 * HOUR_MS + MINUTE_MS)
  await db.raw(`update credit_sweeps set "sweptTo" = product_now() - interval '90 seconds'`)
  const mail = { to: 'late@test.example', subject: 'late', text: 'late' }
  await inTransaction(db, (tx) => enqueueMail(tx, dataKey, mail))
  await db('mails').update({ createdAt: db.raw(`now() - interval '30 seconds'`) })
  const reminder = { sessionId: 1, userId, endedAt: db.fn.now() }
  const createdAt = db.raw(`now() - interval '20 seconds'`)
  await db('reminders').insert({ ...reminder, createdAt })
  const late = await seconds()
  expect(late['oldest session to end']).toBeCloseTo(60)
  expect(late['slowest sweep']).toBeCloseTo(90)
  expect(late['oldest due credit']).toBeGreaterThan(0)
  expect(late['oldest unsent mail']).toBeGreaterThanOrEqual(30)
  expect(late['oldest unsent reminder']).toBeGreaterThanOrEqual(20)
})
