import { expect, it } from 'vitest'
import { testDatabase, testSecrets } from '#db/testing/database'
import { torture } from './torture.ts'

it('keeps every rule of the economy while members press and processes die', async () => {
  const database = await testDatabase()
  try {
    const report = await torture({
      databaseUrl: database.url,
      redisUrl: database.redisUrl,
      redisPrefix: database.redisPrefix,
      secrets: testSecrets(),
      seconds: 20,
      seed: 7,
      members: 6,
    })
    expect(report.problems).toEqual([])
    expect(Object.values(report.blows).reduce((a, b) => a + b, 0)).toBeGreaterThan(1)
    expect(report.credits).toBeGreaterThan(0)
    expect(report.audits).toBeGreaterThan(2)
  } finally {
    await database.drop()
  }
}, 120_000)
