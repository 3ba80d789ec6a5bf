import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AUDIT_SETTINGS } from '#db/ledger/audit/audit-step'
import { TASK_RULES } from '#db/ledger/audit/member-rules'
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
    expect(await auditShards(db)).toEqual([]),
  )
  await onChangedCopy(fresh, leader, broken.map((rule) => BREAKS[rule]).join(';'), async (db) => {
    const found = (await auditShards(db)).map(({ rule }) => rule)
    expect(found).toEqual(expect.arrayContaining(broken))
  })
})

/** As a claim that the snapshot of one server has, and that of another has not yet. */
it('a task that seems to count a claim too many is read again in its own transaction', async () => {
  const [rule = ''] = Object.keys(TASK_RULES)
  await onChangedCopy(fresh, leader, BREAKS[rule] ?? '', async (db) => {
    const sent: string[] = []
    db.on('query', ({ sql }: { sql: string }) => sent.push(sql))
    const transaction = db.transaction.bind(db)
    vi.spyOn(db, 'transaction').mockImplementation((async (
      ...given: Parameters<typeof transaction>
    ) => {
      const found = await transaction(...given)
      const isRead = sent.some((sql) => sql.includes(rule))
      if (isRead) await db.raw('update tasks set cap = null')
      return found
    }) as typeof db.transaction)
    expect(await auditShards(db)).toEqual([])
    const begun = sent.filter((sql) => sql.startsWith('BEGIN'))
    expect(sent.filter((sql) => sql === AUDIT_SETTINGS)).toHaveLength(begun.length)
    expect(begun.length).toBeGreaterThan(3)
  })
})
