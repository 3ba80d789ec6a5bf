import { afterAll, beforeAll, expect, it } from 'vitest'
import { partitionName } from '#db/postgres/schema/partitions'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { seedOldDays } from '#db/testing/history/seed-old-days'
import { rollUpSql } from './rollup-pass.ts'
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
  const sql = `explain ${rollUpSql(day, `${day}_rolled`)}`
  const plan = await fresh.db.transaction(async (tx) => {
    await useBatchSettings(tx)
    const { rows } = await tx.raw(sql, { passes: 1, pass: 0, corrected: [] })
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  })
  expect(plan.match(/Sort Key:.*seq/g)).toHaveLength(1)
  expect(plan).toMatch(/Hash (Right )?Anti Join/)
  expect(plan.match(new RegExp(`Scan.* on ${day} d(_\\d)?\\b`, 'g'))).toHaveLength(2)
})
