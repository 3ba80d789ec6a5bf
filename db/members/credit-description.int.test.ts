import { afterAll, beforeAll, expect, it } from 'vitest'
import { creditAllDue } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/connection/product-clock'
import { readActivity } from '#db/wallet/activity'
import { memberKey } from '#rules/buckets'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { LISTS } from './export.ts'

const TEXT = 'Automatic mining credit'
let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  const { db } = fresh
  memberId = await insertMember(db)
  const startedAt = startedBefore(await productNow(db), 2)
  const [sessionId = 0] = await insertSessions(db, [{ userId: memberId, startedAt }])
  await creditAllDue(db, { sessionId, memberId })
  // A row of an earlier version.
  await db('wallet_activity').where('id', 'like', '%:1').update({ description: TEXT })
})
afterAll(() => fresh.close())

it('activity and export fill in the description of a credit, which is stored empty', async () => {
  const { db } = fresh
  const stored = db('wallet_activity').where({ userId: memberId }).orderBy('seq')
  expect(await stored.pluck('description')).toEqual([TEXT, ''])
  const { items } = await readActivity(db, memberId, 10)
  expect(items.map(({ description }) => description)).toEqual([TEXT, TEXT])
  const exported = await db.raw(LISTS.activity, memberKey(memberId))
  expect(exported.rows).toMatchObject([{ description: TEXT }, { description: TEXT }])
})
