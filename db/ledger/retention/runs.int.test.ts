import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { ensurePartitions } from '#db/ledger/partitions'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { operate } from '#operators/ops/testing/operate'
import { DAY_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { recordSwept } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { rollUpLedger } from './rollup-steps.ts'

let fresh: FreshDatabase
let memberId: number
let sessionId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
})
afterAll(() => fresh.close())

/** A session whose intervals ended at noon 20 days ago and are not credited yet. */
beforeEach(async () => {
  const { db } = fresh
  const now = await productNow(db)
  const noon = Math.floor(now / DAY_MS) * DAY_MS + 1.5 * DAY_MS
  await advance(db, noon - now)
  await ensurePartitions(db)
  memberId = await insertMember(db)
  const [id = 0] = await insertSessions(db, [
    { userId: memberId, startedAt: startedBefore(noon, 6) },
  ])
  sessionId = id
  await advance(db, 20 * DAY_MS)
  await ensurePartitions(db)
})

async function credit(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await creditIntervals(fresh.db, { sessionId, memberId })
}

/** The ids of the member's rows after a roll-up, in the order of posting. */
async function rolledIds(): Promise<string[]> {
  const quarantine = { quarantinedAt: new Date(), quarantineReason: 'six credits only' }
  await fresh.db('mining_sessions').where({ id: sessionId }).update(quarantine)
  await recordSwept(fresh.db)
  expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(0)
  expect((await audit(fresh.db)).problems).toEqual([])
  const ids: string[] = await fresh
    .db('wallet_activity')
    .where({ userId: memberId })
    .orderBy('seq')
    .pluck('id')
  return ids.map((id) => id.replace(`credit:${sessionId}:`, '').replace(`:${memberId}:`, ':'))
}

it('a row of another day that was posted between two credits ends a run', async () => {
  await credit(3)
  await inTransaction(fresh.db, (tx) => completeTask(tx, memberId, 'join_telegram'))
  await credit(3)
  expect(await rolledIds()).toEqual(['1-3', 'task:join_telegram', '4-6'])
})

it('credits keep their rows if corrections between them cancel out', async () => {
  const place = { db: fresh.db, config: testConfig(fresh) }
  const correct = (amount: string) =>
    operate(place, 'ledger correct', [`id:${memberId}`, 'TESP', amount], { reason: 'test' })
  await credit(3)
  await correct('5')
  await correct('-5')
  await credit(3)
  const ids = await rolledIds()
  expect(ids.filter((id) => !id.startsWith('correction'))).toEqual(['1', '2', '3', '4', '5', '6'])
})
