import { expect, it } from 'vitest'
import { PARTITIONS_AHEAD, partitionName } from '#db/postgres/schema/partitions'
import { DAY_MS } from '#rules/constants'
import { dueMerge, MERGE_AFTER_DAYS } from './next-merge.ts'
import { spanNamed } from './span.ts'

const START = Date.UTC(2026, 10, 21)
const DEFAULT = 'wallet_activity_default'

/** Merges what is due, as maintenance does. */
function merged(names: string[], now: number): string[] {
  const merge = dueMerge(names, now - MERGE_AFTER_DAYS * DAY_MS)
  if (!merge) return names
  const rest = names.filter((name) => !merge.sources.includes(name))
  return merged([...rest, merge.into.name].sort(), now)
}

it('a ledger of a hundred years has fewer than 60 partitions on each of its days, and no gap', () => {
  let names: string[] = []
  let most = 0
  for (let day = START; day < Date.UTC(2126, 0); day += DAY_MS) {
    names.push(partitionName(day + PARTITIONS_AHEAD * DAY_MS))
    // The default one too, before the merges of the day.
    most = Math.max(most, names.length + 1)
    names = merged(names, day)
  }
  expect(most).toBeLessThan(60)
  const spans = names.flatMap((name) => spanNamed(name) ?? [])
  for (const [i, { from, to }] of spans.entries()) {
    expect(from <= new Date(START).toISOString() || from === spans[i - 1]?.to).toBe(true)
    expect(Date.parse(to)).toBeGreaterThan(Date.parse(from))
  }
})

it.each([
  ['20280229', '2028-02-29', '2028-03-01'],
  ['2028022', '2028-02-20', '2028-03-01'],
  ['2026110', '2026-11-01', '2026-11-10'],
  ['2026113', '2026-11-30', '2026-12-01'],
  ['202612', '2026-12-01', '2027-01-01'],
  ['2026', '2026-01-01', '2027-01-01'],
  ['202', '2020-01-01', '2030-01-01'],
])('the partition %s holds the days from %s until %s', (digits, from, to) => {
  const name = `wallet_activity_${digits}`
  const midnight = 'T00:00:00.000Z'
  expect(spanNamed(name)).toEqual({ name, from: from + midnight, to: to + midnight })
})

it.each([DEFAULT, 'wallet_activity_202611_rolled', 'wallet_activity_20261'])(
  '%s is no span',
  (name) => expect(spanNamed(name)).toBeUndefined(),
)

it('days are merged before the month that they are part of, the oldest first', () => {
  const names = ['2026101', '2026102', '20261030', '20261031', '20261105'].map(
    (digits) => `wallet_activity_${digits}`,
  )
  const over = Date.UTC(2026, 10, 1)
  expect(dueMerge(names, over)).toMatchObject({
    into: { name: 'wallet_activity_2026103' },
    sources: ['wallet_activity_20261030', 'wallet_activity_20261031'],
  })
  const later = [...names.slice(0, 2), 'wallet_activity_2026103', 'wallet_activity_20261105']
  expect(dueMerge(later, over)?.sources).toEqual(later.slice(0, 3))
  expect(dueMerge(later, over - 1)).toBeUndefined()
})
