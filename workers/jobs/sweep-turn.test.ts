import { expect, it } from 'vitest'
import { rangeJobId, turnOf } from './sweep-turn.ts'

const NOW = 1_800_000_000_000
const scheduled = (ageMs: number) => `repeat:sweep:${NOW - ageMs}`

it.each([
  ['alone', [scheduled(0)], 'sweep'],
  ['called without a job', [], 'sweep'],
  ['beside the one of a second ago', [scheduled(0), scheduled(1_000)], 'skip'],
  ['beside one of a killed process', [scheduled(15_000), scheduled(0)], 'add ranges'],
  ['beside a job of a range', [rangeJobId(128), scheduled(0)], 'add ranges'],
  ['beside both', [scheduled(1_000), rangeJobId(128), scheduled(0)], 'skip'],
])('a sweep of all buckets %s', (_, active, turn) => {
  expect(turnOf(active, NOW)).toBe(turn)
})
