import { afterAll, beforeAll, expect, it } from 'vitest'
import { partitionName } from '#db/ledger/partitions'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { rollUpSql, sumUpSql, useRollupSettings } from './rollup-pass.ts'
import { rollUpStep } from './rollup-steps.ts'

let fresh: FreshDatabase
let day: string

beforeAll(async () => {
  fresh = await freshDatabase()
  const { noon } = await seedOldDays(fresh.db)
  day = partitionName(noon)
  while (!(await fresh.db('ledger_rollups').where({ partition: day }).first())) {
    await rollUpStep(fresh.db, 7)
  }
  await fresh.db.raw('analyze')
})
afterAll(() => fresh.close())

it('a pass reads its partition twice and sorts at most the rows that are no whole run', async () => {
  const values = { passes: 1, pass: 0, corrected: [] }
  const plan = await fresh.db.transaction(async (tx) => {
    await useRollupSettings(tx)
    const lines: string[] = []
    for (const sql of [sumUpSql(day), rollUpSql(day, `${day}_rolled`)]) {
      const { rows } = await tx.raw(`explain ${sql}`, values)
      lines.push(...rows.map((row: Record<string, string>) => row['QUERY PLAN']))
      await tx.raw(sql, values)
    }
    return lines.join('\n')
  })
  expect(plan.match(/Sort Key:/g)).toHaveLength(1)
  expect(plan).toMatch(/Hash (Right )?Anti Join/)
  expect(plan.match(new RegExp(`Scan.* on ${day} d(_\\d)?\\b`, 'g'))).toHaveLength(2)
})
