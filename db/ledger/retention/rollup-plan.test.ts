import { afterAll, beforeAll, expect, it } from 'vitest'
import { partitionName } from '#db/postgres/partitions'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { seedOldDays } from '#db/testing/seed-old-days'
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

it('a pass reads its partition once and sorts it once', async () => {
  const { rows } = await fresh.db.raw(`explain ${rollUpSql(day, `${day}_rolled`)}`, {
    passes: 1,
    pass: 0,
    from: new Date(0),
  })
  const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  expect(plan.match(/Sort Key:.*seq/g)).toHaveLength(1)
  expect(plan.match(new RegExp(`Scan.* on ${day} d\\b`, 'g'))).toHaveLength(1)
})
