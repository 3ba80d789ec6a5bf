import { expect, it } from 'vitest'
import { stepText } from './steps.ts'

it('the text of a step names what was sent again and why', () => {
  const text = stepText({
    answers: 120,
    retried: { '503': 3, ECONNRESET: 1 },
    waited: 0,
    problems: ['500 POST /api/mining/stop: {}'],
    slowestMs: 2_149,
    socketsLost: 30,
    longestAwayMs: 1_500,
    credits: 90,
  })
  expect(text).toBe(
    '120 answers, the slowest after 2.1 s; sent again 3× 503, 1× ECONNRESET, shown as waiting 0, failed 1; 30 sockets lost for at most 1.5 s; 90 credits in all',
  )
})
