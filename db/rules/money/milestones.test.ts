import { expect, it } from 'vitest'
import { MILESTONES, milestonesReached, readyMilestones, usdtRateOf } from './milestones.ts'

it('the six milestones have their rewards and USDT rates', () => {
  const table = MILESTONES.map(({ members, reward, usdtRate }) => [members, reward, usdtRate])
  expect(table).toEqual([
    [10, '5', '0.02'],
    [25, '15', '0.03'],
    [50, '25', '0.05'],
    [100, '50', '0.08'],
    [500, '250', '0.1'],
    [1000, '500', '0.12'],
  ])
})

it('a milestone is reached with exactly its number of members', () => {
  expect(milestonesReached(9)).toEqual([])
  expect(milestonesReached(10).map(({ members }) => members)).toEqual([10])
  expect(milestonesReached(499).map(({ members }) => members)).toEqual([10, 25, 50, 100])
  expect(milestonesReached(5_000)).toHaveLength(6)
})

it('usdtRateOf is the rate of the last paid milestone, 0 before the first', () => {
  const rates = [0, 1, 2, 3, 4, 5, 6].map(usdtRateOf)
  expect(rates).toEqual(['0', '0.02', '0.03', '0.05', '0.08', '0.1', '0.12'])
})

it('ready milestones are those reached and not yet achieved', () => {
  const ready = (teamSize: number, paid: number) =>
    readyMilestones({
      teamSize,
      milestones: MILESTONES.map((one, at) => ({ ...one, achieved: at < paid })),
    }).map(({ members }) => members)
  expect(ready(9, 0)).toEqual([])
  expect(ready(10, 0)).toEqual([10])
  expect(ready(10, 1)).toEqual([])
  expect(ready(60, 1)).toEqual([25, 50])
})
