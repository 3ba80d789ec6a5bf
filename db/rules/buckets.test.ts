import { expect, it } from 'vitest'
import { ALL_BUCKETS, BUCKETS, bucketOf, memberKey, SWEEP_RANGES } from './buckets.ts'

it('the ranges of sweeps hold each bucket once, in order', () => {
  const buckets = SWEEP_RANGES.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, n) => first + n),
  )
  expect(buckets).toEqual(Array.from({ length: BUCKETS }, (_, bucket) => bucket))
  expect([buckets[0], buckets.at(-1)]).toEqual([ALL_BUCKETS.first, ALL_BUCKETS.last])
})

it('members with consecutive ids are in consecutive buckets', () => {
  expect([1, 1023, 1024, 1025].map(bucketOf)).toEqual([1, 1023, 0, 1])
  expect(memberKey(2050)).toEqual({ bucket: 2, userId: 2050 })
})
