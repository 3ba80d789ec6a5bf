import { afterAll, beforeAll, expect, it } from 'vitest'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { AUDIT_SETTINGS, ledgerPartitions } from './audit-step.ts'
import { FACT_RULES, factTables } from './fact-rules.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  await seedOldDays(fresh.db)
})
afterAll(() => fresh.close())

/** What a rule reads of the ledger for single members or sessions: index scans that were executed. */
async function lookUps(rule: string): Promise<string[]> {
  const tables = factTables(await ledgerPartitions(fresh.db))
  const { rows } = await fresh.db.raw(`explain (analyze) with ${tables} ${FACT_RULES[rule]}`)
  return rows
    .map((row: Record<string, string>) => row['QUERY PLAN'] ?? '')
    .filter((line: string) => /(Index|Bitmap) .*wallet_activity/.test(line))
    .filter((line: string) => !line.includes('never executed'))
}

it.each(Object.keys(FACT_RULES))('"%s" reads the rows of no single session', async (rule) => {
  expect(await lookUps(rule)).toEqual([])
})

it('that stays so when most days are rolled up', async () => {
  expect(await rollUpLedger(fresh.db, 19)).toBeGreaterThan(0)
  const single = await fresh.db('wallet_activity').where('id', '~', '^credit:\\d+:\\d+$').first()
  const rolled = await fresh.db('wallet_activity').where('id', 'like', 'credit:%-%').first()
  expect(single && rolled).toBeDefined()
  for (const rule of Object.keys(FACT_RULES)) expect(await lookUps(rule)).toEqual([])
})

it('the facts are joined with all paid facts at once, not one by one', async () => {
  const rule = FACT_RULES['each paid fact is stored in the bucket of its ledger row']
  const plan = await fresh.db.transaction(async (tx) => {
    // Of that many rows, finding ten one by one looks cheaper than joining all of them.
    await tx.raw('analyze wallet_activity, ledger_facts')
    await tx.raw(`update pg_class set reltuples = 1e6
      where reltuples > 0 and relname ~ '^wallet_activity_[0-9]+$'`)
    await tx.raw(AUDIT_SETTINGS)
    const tables = factTables(await ledgerPartitions(tx))
    const { rows } = await tx.raw(`explain with ${tables} select * from (${rule}) found limit 10`)
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('on ledger_facts')
  expect(plan).not.toContain('Nested Loop')
})
