import { expect, it } from 'vitest'
import { bucketsOfChunk } from './partition-merge.ts'

const MB = 1024 ** 2

it.each([
  [0, 1024],
  [64 * MB, 1024],
  [128 * MB, 512],
  [100 * MB, 656],
  [1024 ** 5, 1],
])('of a source of %s bytes, %s buckets are copied together', (bytes, buckets) => {
  expect(bucketsOfChunk(bytes)).toBe(buckets)
})
