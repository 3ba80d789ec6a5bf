import { expect, it } from 'vitest'
import { monthOf, PARTITIONS_AHEAD, partitionName, periodNamed } from '#db/ledger/partitions'
import { DAY_MS } from '#rules/constants'
import { DETAIL_DAYS, dueMerge, mergeAfterDays } from './next-merge.ts'

const START = Date.UTC(2026, 10, 21)
const DEFAULT = 'wallet_activity_default'

/** Merges what is due, as maintenance does. */
function merged(names: string[], now: number): string[] {
  const merge = dueMerge(names, now - mergeAfterDays(DETAIL_DAYS) * DAY_MS)
  if (!merge) return names
  const rest = names.filter((name) => !merge.sources.includes(name))
  return merged([...rest, merge.into.name].sort(), now)
}

it('a ledger of ten years has a partition for each month and fewer than 60 days, without a gap', () => {
  let names: string[] = []
  let mostDays = 0
  for (let day = START; day < Date.UTC(2036, 0); day += DAY_MS) {
    names.push(partitionName(day + PARTITIONS_AHEAD * DAY_MS))
    mostDays = Math.max(mostDays, names.filter((name) => monthOf(name)).length)
    names = merged(names, day)
  }
  expect(mostDays).toBeLessThan(60)
  expect(names.filter((name) => !monthOf(name))).toHaveLength(2 + 8 * 12 + 11)
  const periods = names.flatMap((name) => periodNamed(name) ?? [])
  for (const [i, { from, to }] of periods.entries()) {
    expect(from <= new Date(START).toISOString() || from === periods[i - 1]?.to).toBe(true)
    expect(Date.parse(to)).toBeGreaterThan(Date.parse(from))
  }
})

it.each([
  ['20280229', '2028-02-29', '2028-03-01'],
  ['202802', '2028-02-01', '2028-03-01'],
  ['202612', '2026-12-01', '2027-01-01'],
])('the partition %s holds the days from %s until %s', (digits, from, to) => {
  const name = `wallet_activity_${digits}`
  const midnight = 'T00:00:00.000Z'
  expect(periodNamed(name)).toEqual({ name, from: from + midnight, to: to + midnight })
})

it.each([DEFAULT, 'wallet_activity_202611_rolled', 'wallet_activity_2026'])(
  '%s is neither a day nor a month',
  (name) => {
    expect(periodNamed(name)).toBeUndefined()
    expect(monthOf(name)).toBeUndefined()
  },
)

it('the days of the oldest month are merged once it is over', () => {
  const names = ['202609', '20261030', '20261031', '20261105'].map(
    (digits) => `wallet_activity_${digits}`,
  )
  const over = Date.UTC(2026, 10, 1)
  expect(dueMerge(names, over)).toMatchObject({
    into: { name: 'wallet_activity_202610' },
    sources: names.slice(1, 3),
  })
  expect(dueMerge(names, over - 1)).toBeUndefined()
  expect(dueMerge([...names.slice(0, 1), ...names.slice(3)], over)).toBeUndefined()
})

it.each([
  [1, 9],
  [7, 9],
  [8, 10],
  [30, 32],
])('with single credits of %d days a month is merged %d days after its end', (detail, days) => {
  expect(mergeAfterDays(detail)).toBe(days)
})
