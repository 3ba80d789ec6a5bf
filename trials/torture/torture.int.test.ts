import { expect, it } from 'vitest'
import { testDatabase } from '#scripts/testing/db/database'
import { torture } from './torture.ts'

it('every rule of the economy holds while members send commands and processes die', async () => {
  const database = await testDatabase()
  try {
    const report = await torture(database, { seconds: 12, seed: 7, members: 6 })
    expect(report.problems).toEqual([])
    expect(Object.values(report.faults).reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(3)
    expect(report.credits).toBeGreaterThan(0)
    expect(report.audits).toBeGreaterThan(2)
    expect(report.sealedDays).toBeGreaterThan(0)
    expect(report.receipts).toBeGreaterThan(0)
    expect(report.inboxRows).toBeGreaterThan(0)
  } finally {
    await database.drop()
  }
})
