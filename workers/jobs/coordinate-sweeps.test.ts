import { expect, it } from 'vitest'
import { chooseSweep, rangeJobId } from './coordinate-sweeps.ts'

const NOW = 1_800_000_000_000
const scheduled = (ageMs: number) => `repeat:sweep:${NOW - ageMs}`
const OWN = scheduled(0)

// Active jobs, the newest first.
it.each([
  ['alone', [OWN], 'sweep'],
  ['that lost its lock, alone', [], 'sweep'],
  ['that lost its lock, during a newer one', [scheduled(100)], 'skip'],
  ['after the one of a second ago', [OWN, scheduled(1_000)], 'skip'],
  ['before another that begins with it', [scheduled(-1), OWN], 'sweep'],
  ['before a stalled one that runs again under its old id', [scheduled(2_000), OWN], 'sweep'],
  ['after one of a killed process', [OWN, scheduled(15_000)], 'add ranges'],
  ['after a killed and a recent one', [OWN, scheduled(500), scheduled(15_000)], 'skip'],
  ['during a job of a range', [OWN, rangeJobId(128)], 'add ranges'],
  ['during both', [OWN, scheduled(1_000), rangeJobId(128)], 'skip'],
  ['before both', [scheduled(-1), rangeJobId(0), OWN], 'add ranges'],
])('a sweep of all buckets %s', (_, active, turn) => {
  expect(chooseSweep(active, OWN, NOW)).toBe(turn)
})

it('exactly one of several sweeps that begin together does not skip', () => {
  const active = [0, 1, 2, 3].map((ms) => scheduled(-ms)).reverse()
  const turns = active.map((own) => chooseSweep(active, own, NOW))
  expect(turns.filter((turn) => turn !== 'skip')).toEqual(['sweep'])
})
