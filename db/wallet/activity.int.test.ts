import { afterAll, beforeAll, expect, it } from 'vitest'
import { productNow } from '#db/postgres/connection/product-clock'
import { memberKey } from '#rules/buckets'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { parseCursor, readActivity } from './activity.ts'

const ROWS = 60
let fresh: FreshDatabase
let members: number[]

beforeAll(async () => {
  fresh = await freshDatabase()
  members = await insertMembers(fresh.db, 3)
  const now = await productNow(fresh.db)
  // Four rows of each moment, half of them within the last day, the others over six weeks.
  const ageOf = (i: number) => {
    const moment = Math.floor(i / 4)
    return moment % 2 ? moment * HOUR_MS : moment * 3 * DAY_MS
  }
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    id: `test:${i}`,
    ...memberKey(members[i % 2] ?? 0),
    walletId: 1,
    type: 'other',
    amount: '1',
    tokenType: 'TESP',
    description: 'test',
    createdAt: new Date(now - ageOf(i)),
    balanceAfter: '1',
  }))
  await fresh.db('wallet_activity').insert(rows)
})
afterAll(() => fresh.close())

const stored = async (member = 0): Promise<string[]> =>
  fresh
    .db('wallet_activity')
    .where({ userId: member })
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .pluck('id')

it.each([1, 3, 7, 100])('pages of %d rows list every row once, newest first', async (limit) => {
  const [member = 0] = members
  const ids: string[] = []
  let cursor: string | null | undefined
  do {
    const before = cursor ? parseCursor(cursor) : undefined
    const page = await readActivity(fresh.db, member, limit, before)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next
  } while (cursor)
  expect(ids).toEqual(await stored(member))
})
