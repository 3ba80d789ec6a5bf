import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { readActivity } from '#db/wallet/activity'
import { creditsOfRow } from '#db/wallet/row-details'
import { INTERVALS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import { sum } from '#rules/money/money'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { rollUpLedger } from './rollup-steps.ts'

let fresh: FreshDatabase
/** Members whose only session ran for 24 hours at one rate. */
let plain: number[]
/** A session that was quarantined after its first ten credits. */
let quarantined: { sessionId: number; memberId: number }

beforeAll(async () => {
  fresh = await freshDatabase()
  const { db } = fresh
  const { members, noon } = await seedOldDays(db)
  plain = members.slice(3)
  const memberId = await insertMember(db)
  const startedAt = startedBefore(noon, 30)
  const [sessionId = 0] = await insertSessions(db, [{ userId: memberId, startedAt }])
  quarantined = { sessionId, memberId }
  for (let n = 1; n <= 10; n++) await creditIntervals(db, quarantined)
  await db('mining_sessions')
    .where({ id: sessionId })
    .update({ quarantinedAt: new Date(), quarantineReason: 'test' })
  await rollUpLedger(db, 7)
})
afterAll(() => fresh.close())

const sessionOf = (memberId = 0) => fresh.db('mining_sessions').where({ userId: memberId }).first()
const rowsOf = (memberId = 0) => fresh.db('wallet_activity').where({ userId: memberId })
const balanceOf = async (memberId = 0) =>
  (await fresh.db('wallets').where({ userId: memberId }).first()).balance
const problems = async () => (await audit(fresh.db)).problems

it('a rolled-up interval is not paid again even if its session lost its position', async () => {
  const [memberId = 0] = plain
  const { id, reward } = await sessionOf(memberId)
  const balance = await balanceOf(memberId)
  const session = () => fresh.db('mining_sessions').where({ id })
  for (const creditedIntervals of [0, 1, 40, INTERVALS - 1]) {
    const paid = await creditsOfIntervals(memberId, creditedIntervals)
    await session().update({ active: true, status: 'active', creditedIntervals, reward: paid })
    const again = creditIntervals(fresh.db, { sessionId: id, memberId })
    await expect(again).rejects.toMatchObject({ code: '23505' })
  }
  expect(await balanceOf(memberId)).toBe(balance)
  const ended = { active: false, status: 'completed', creditedIntervals: INTERVALS, reward }
  await session().update(ended)
  expect(await problems()).toEqual([])
})

/** What the first `count` intervals of the member's only session were paid. */
async function creditsOfIntervals(memberId: number, count: number): Promise<string> {
  const rows = await rowsOf(memberId)
  const credits = await Promise.all(rows.map(({ id }) => creditsOfRow(fresh.db, memberId, id)))
  const oldestFirst = credits.flat().sort((a, b) => a.timestamp.localeCompare(b.timestamp))
  expect(oldestFirst).toHaveLength(INTERVALS)
  return sum(...oldestFirst.slice(0, count).map(({ amount }) => amount))
}

it('the remaining credits of a session whose first ones are rolled up are paid once', async () => {
  const { sessionId, memberId } = quarantined
  const [row, ...others] = await rowsOf(memberId)
  expect([row.id, others]).toEqual([`credit:${sessionId}:1-10`, []])
  const now = await productNow(fresh.db)
  await inTransaction(fresh.db, (tx) => releaseSession(tx, sessionId, now))
  const rows = await rowsOf(memberId)
  expect(rows).toHaveLength(1 + INTERVALS - 10)
  expect(await balanceOf(memberId)).toBe('2.40000000')
  expect(await problems()).toEqual([])
})

it('the activity describes a rolled-up row by the number of its credits', async () => {
  const [memberId = 0] = plain
  const { items } = await readActivity(fresh.db, memberId, 10)
  expect(items.map(({ id, description }) => [description, id])).toEqual(
    items.map(({ id }) => [`${creditCount(id)} automatic mining credits`, id]),
  )
  expect(items.map(({ id }) => creditCount(id)).reduce((a, b) => a + b, 0)).toBe(INTERVALS)
})

it('the credits of a row are read by its member only, and only for a rolled-up row', async () => {
  const [memberId = 0, other = 0] = plain
  const [row] = await rowsOf(memberId)
  expect(await creditsOfRow(fresh.db, memberId, row.id)).toHaveLength(creditCount(row.id))
  expect(await creditsOfRow(fresh.db, other, row.id)).toEqual([])
  for (const id of ['', 'credit:1:3', 'credit:1:9-3', 'credit:99999999999999999999:1-2', 'x']) {
    expect(await creditsOfRow(fresh.db, memberId, id)).toEqual([])
  }
})

it('credits that do not add up to their row are not shown', async () => {
  const memberId = plain[2] ?? 0
  const [row] = await rowsOf(memberId)
  const { id, hashRate } = await sessionOf(memberId)
  await fresh.db('mining_sessions').where({ id }).update({ hashRate: '0.2' })
  expect(await creditsOfRow(fresh.db, memberId, row.id)).toEqual([])
  await fresh.db('mining_sessions').where({ id }).update({ hashRate })
})
