import { expect, it } from 'vitest'
import { testDatabase } from '#db/testing/database'
import { differenceText } from './run.ts'
import { simulate } from './simulate.ts'

it.each([1, 2])('product and model agree on every history of seed %i', async (seed) => {
  const database = await testDatabase()
  try {
    const { differences, credits, cuts } = await simulate(database.url, { seed })
    expect(differences.map(differenceText)).toEqual([])
    expect(credits).toBeGreaterThan(1_000)
    expect(cuts).toBeGreaterThan(20)
  } finally {
    await database.drop()
  }
})
