import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  creditCountSql,
  firstIntervalSql,
  intervalEndSql,
  lastIntervalSql,
  sessionOfSql,
} from '#db/ledger/credit-sql'
import { INTERVAL_MS } from '#rules/constants'
import {
  creditCount,
  ledgerId,
  ledgerIdRegex,
  ledgerIdSql,
  parseLedgerId,
} from '#rules/money/ledger-id'
import { intervalEnd } from '#rules/money/mining'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const evaluate = async (sql: string) => (await fresh.db.raw(`select ${sql} as value`)).rows[0].value

it('ledgerIdSql and ledgerId build the same ids', async () => {
  expect(await evaluate(ledgerIdSql('credit', { sessionId: '71', n: '3' }))).toBe(
    ledgerId('credit', { sessionId: 71, n: 3 }),
  )
  expect(await evaluate(ledgerIdSql('creditRange', { sessionId: '71', from: '3', to: '9' }))).toBe(
    ledgerId('creditRange', { sessionId: 71, from: 3, to: 9 }),
  )
  expect(
    await evaluate(ledgerIdSql('dailyTask', { memberId: '7', taskId: `'a'`, day: `'2026-11-21'` })),
  ).toBe(ledgerId('dailyTask', { memberId: 7, taskId: 'a', day: '2026-11-21' }))
  expect(
    await evaluate(ledgerIdSql('milestone', { memberId: '7', members: '10', token: `'TESP'` })),
  ).toBe(ledgerId('milestone', { memberId: 7, members: 10, token: 'TESP' }))
})

it('SQL and TypeScript read the same session, intervals and count from the id of a credit', async () => {
  for (const id of ['credit:71:3', 'credit:71:3-9']) {
    const text = `'${id}'`
    const { sessionId, n, from, to }: Record<string, string> = parseLedgerId(id)?.fields ?? {}
    expect(await evaluate(sessionOfSql(text))).toBe(sessionId)
    expect(await evaluate(firstIntervalSql(text))).toBe(Number(from ?? n))
    expect(await evaluate(lastIntervalSql(text))).toBe(Number(to ?? n))
    expect(await evaluate(creditCountSql(text))).toBe(creditCount(id))
  }
})

it.each([
  ['credit', 'credit:71:3'],
  ['creditRange', 'credit:71:3-9'],
] as const)('in SQL the expression of %s matches %s only', async (kind, matching) => {
  for (const id of ['credit:71:3', 'credit:71:3-9', 'credit:71:3-9-12', 'task:7:a']) {
    expect(await evaluate(`'${id}' ~ '${ledgerIdRegex(kind)}'`)).toBe(id === matching)
  }
})

it('every ledger row of a used database has an id that parseLedgerId reads', async () => {
  await seedHistory(fresh.db)
  const ids: string[] = await fresh.db('wallet_activity').pluck('id')
  expect(ids.filter((id) => parseLedgerId(id) === undefined)).toEqual([])
  const kinds = new Set(ids.map((id) => parseLedgerId(id)?.kind))
  expect([...kinds].sort()).toEqual(['claim', 'credit', 'milestone', 'task'])
})

it('intervalEndSql and intervalEnd name the same moment', async () => {
  const startedAt = Date.UTC(2026, 2, 28, 23, 59, 59, 999)
  const { rows } = await fresh.db.raw(
    `select ${intervalEndSql('s', '72')} as value
     from (select to_timestamp(${startedAt} / 1000.0) as "startTime") s`,
  )
  expect(rows[0].value.getTime()).toBe(intervalEnd(startedAt, 72))
  expect(intervalEnd(startedAt, 72) - startedAt).toBe(72 * INTERVAL_MS)
})
