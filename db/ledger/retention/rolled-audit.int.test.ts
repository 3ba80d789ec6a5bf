import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { rollUpLedger } from './rollup-steps.ts'

const INTERVAL_RULE = 'each credited interval has exactly its row'
const SESSION_RULE = 'a credit row belongs to a session of its member'
const RUNNING_SUM = 'balanceAfter is the running sum'

let fresh: FreshDatabase
/** The session whose two rolled-up rows are changed. */
let session: { id: number; userId: number }

beforeAll(async () => {
  fresh = await freshDatabase()
  const { members } = await seedOldDays(fresh.db)
  await rollUpLedger(fresh.db, 7)
  session = await fresh.db('mining_sessions').where({ userId: members[4] }).first('id', 'userId')
  await fresh.db.raw('create table intact as table wallet_activity')
})
afterAll(() => fresh.close())
afterEach(async () => {
  await fresh.db.raw(
    `update wallet_activity a set id = i.id, amount = i.amount from intact i where i.seq = a.seq`,
  )
  await fresh.db.raw('delete from wallet_activity where seq not in (select seq from intact)')
  expect((await audit(fresh.db)).problems).toEqual([])
})

/** The session's rolled-up rows, oldest first; `first` and `last` are their intervals. */
async function rolledRows(): Promise<{ seq: number; id: string; first: number; last: number }[]> {
  const rows = await fresh.db('wallet_activity').where({ userId: session.userId }).orderBy('seq')
  return rows.map(({ seq, id }) => {
    const [first = 0, last = 0] = id.split(':')[2].split('-').map(Number)
    return { seq, id, first, last }
  })
}
const rename = (seq: number, intervals: string) =>
  fresh
    .db('wallet_activity')
    .where({ seq })
    .update({ id: `credit:${session.id}:${intervals}` })

const brokenRules = async () => (await audit(fresh.db)).problems.map(({ rule }) => rule)

it('the audit reports a rolled-up row that names an interval too few', async () => {
  const [day] = await rolledRows()
  await rename(day?.seq ?? 0, `2-${day?.last}`)
  expect(await brokenRules()).toContain(INTERVAL_RULE)
})

it('the audit reports a gap before and an overlap behind, although the number is right', async () => {
  const [day, next] = await rolledRows()
  await rename(day?.seq ?? 0, `2-${day?.last}`)
  await rename(next?.seq ?? 0, `${day?.last}-${next?.last}`)
  expect(await brokenRules()).toEqual([INTERVAL_RULE])
})

it('the audit reports a single credit of an interval that a rolled-up row pays too', async () => {
  const [day, next] = await rolledRows()
  await rename(day?.seq ?? 0, `2-${day?.last}`)
  const { rows } = await fresh.db.raw(
    'select tableoid::regclass::text as name from wallet_activity where seq = ?',
    [next?.seq ?? 0],
  )
  await fresh.db.raw('alter table ?? disable trigger refuse_rolled_credit', [rows[0].name])
  const n = (next?.first ?? 0) + 2
  await fresh.db.raw(
    `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
       description, "createdAt", "balanceAfter")
     select bucket, :id, "userId", "walletId", type, 0.00000001, "tokenType", '',
       "createdAt" - (:last::integer - :n::integer) * interval '20 minutes', "balanceAfter"
     from wallet_activity where seq = :seq`,
    { id: `credit:${session.id}:${n}`, last: next?.last ?? 0, n, seq: next?.seq ?? 0 },
  )
  await fresh.db.raw('alter table ?? enable trigger refuse_rolled_credit', [rows[0].name])
  expect(await brokenRules()).toContain(INTERVAL_RULE)
})

it.each(['9-3', '3-9x', '03-9', '0-9', '3-', '3-9-12'])(
  'the audit reports a rolled-up row with the intervals %s',
  async (intervals) => {
    const [day] = await rolledRows()
    await rename(day?.seq ?? 0, intervals)
    const rules = await brokenRules()
    expect(rules.some((rule) => rule === INTERVAL_RULE || rule === SESSION_RULE)).toBe(true)
  },
)

it('the audit reports a rolled-up row whose sum is wrong', async () => {
  const [day] = await rolledRows()
  await fresh.db.raw('update wallet_activity set amount = amount + 0.00000001 where seq = ?', [
    day?.seq ?? 0,
  ])
  expect(await brokenRules()).toContain(RUNNING_SUM)
})
