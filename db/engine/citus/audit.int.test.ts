import { afterAll, beforeAll, expect, it } from 'vitest'
import { BREAKS, onChangedCopy } from '#scripts/testing/db/broken-ledger'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'
import { auditShards } from './audit.ts'

let fresh: FreshDatabase
let leader: number

beforeAll(async () => {
  fresh = await freshDatabase()
  leader = (await seedHistory(fresh.db))[0] ?? 0
  await fresh.db.destroy()
})
afterAll(() => fresh.close())

it('the audit shard by shard, as on Citus, finds the rules of members, of teams and of sums', async () => {
  const broken = [
    'balanceAfter is the running sum',
    'each credited interval has exactly its row',
    'one F1 reward a referred member',
    'one wallet and one stats row a member',
    'the network counters equal what they count',
  ]
  await onChangedCopy(fresh, leader, 'select 1', async (db) =>
    expect(await auditShards(db, () => {})).toEqual([]),
  )
  await onChangedCopy(fresh, leader, broken.map((rule) => BREAKS[rule]).join(';'), async (db) => {
    const found = (await auditShards(db, () => {})).map(({ rule }) => rule)
    expect(found).toEqual(expect.arrayContaining(broken))
  })
})
