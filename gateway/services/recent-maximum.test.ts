import { beforeEach, expect, it } from 'vitest'
import { RecentMaximum } from './gateway-metrics.ts'

let now: number
let recent: RecentMaximum
beforeEach(() => {
  now = 5_000
  recent = new RecentMaximum(1_000, () => now)
})

it('the largest value counts for at least one window', () => {
  recent.add(7)
  recent.add(3)
  now += 1_999
  expect(recent.value).toBe(7)
})

it('a value is gone after two windows', () => {
  recent.add(7)
  now += 2_000
  expect(recent.value).toBe(0)
})

it('a smaller value of the next window counts when the larger one is gone', () => {
  recent.add(7)
  now += 1_500
  recent.add(3)
  expect(recent.value).toBe(7)
  now += 600
  expect(recent.value).toBe(3)
})
