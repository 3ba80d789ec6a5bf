import { expect, it } from 'vitest'
import { stepRow } from './step-row.ts'

it('a row of the table names what was sent again and why', () => {
  const row = stepRow('restart of Redis', 4_321, {
    requests: 120,
    retried: { '503': 3, ECONNRESET: 1 },
    waited: 0,
    failed: ['POST /api/mining/stop: 500: {}'],
    slowestMs: 2_149,
    socketsLost: 30,
    longestAwayMs: 1_500,
    credits: 90,
  })
  expect(row).toEqual({
    step: 'restart of Redis',
    seconds: '4.3',
    requests: 120,
    sentAgain: '3× 503, 1× ECONNRESET',
    shownAsWaiting: 0,
    failed: 1,
    slowestSeconds: '2.1',
    socketsLost: 30,
    awaySeconds: '1.5',
    credits: 90,
  })
})
