import { expect, it } from 'vitest'
import { testDatabase } from '#scripts/testing/db/database'
import { differenceText } from './run.ts'
import { simulate } from './simulate.ts'

it('product and model agree on the histories of a seed', async () => {
  const database = await testDatabase()
  try {
    const report = await simulate(database.url, { seed: 1, histories: 40 })
    expect(report.differences.map(differenceText)).toEqual([])
    expect(report.credits).toBeGreaterThan(1_000)
    expect(report.cuts).toBeGreaterThan(20)
  } finally {
    await database.drop()
  }
})
