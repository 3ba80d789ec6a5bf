import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDay, daysUntil } from '#client/screens/testing/earnings.ts'
import {
  bestOf,
  hasRows,
  shortDayText,
  sourcesOf,
  streakOf,
  sumOf,
  tespOf,
  usdtOf,
} from './earnings-figures.ts'

const zone = process.env.TZ
// West of Greenwich a UTC day begins on the evening before.
beforeAll(() => {
  process.env.TZ = 'America/Los_Angeles'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const mined = { mining: '2.40000000' }
/** One day for each letter, the last is today: `x` with mining, `-` without. */
const history = (letters: string) =>
  daysUntil('2026-03-01', letters.length, (nth) => (letters[nth] === 'x' ? mined : {}))

it('a day is named by its UTC date in every time zone', () => {
  expect(new Date('2026-03-01').getDate()).toBe(28)
  expect(shortDayText('2026-03-01')).toBe('Mar 1')
})

describe('days in a row', () => {
  it.each([
    ['---', 0, false],
    ['--x', 1, false],
    ['-xxx', 3, false],
    ['-xx-', 2, false],
    ['xx--', 0, false],
    ['x-xx', 2, false],
  ])('of %s are %i', (letters, count, isOpen) => {
    expect(streakOf(history(letters))).toEqual({ count, isOpen })
  })

  it('are open if they reach the first day, with and without earnings of today', () => {
    expect(streakOf(history('x'.repeat(90)))).toEqual({ count: 90, isOpen: true })
    expect(streakOf(history(`${'x'.repeat(89)}-`))).toEqual({ count: 89, isOpen: true })
    expect(streakOf(history(`-${'x'.repeat(89)}`))).toEqual({ count: 89, isOpen: false })
  })

  it('count rewards and a team, and no correction of either token', () => {
    const last = (share: object) => streakOf([aDay('2026-02-28'), aDay('2026-03-01', share)]).count
    expect(last({ rewards: '0.00000001' })).toBe(1)
    expect(last({ team: '0.00000001' })).toBe(1)
    expect(last({ other: '100.00000000' })).toBe(0)
    expect(last({ usdt: '100.00000000' })).toBe(0)
    expect(last({ mining: '1.00000000', other: '-5.00000000' })).toBe(1)
  })
})

describe('the best day', () => {
  const best = (...amounts: string[]) =>
    bestOf(
      daysUntil('2026-03-01', amounts.length, (nth) => ({ mining: amounts[nth] ?? '0' })),
      tespOf,
    )

  it('is the one with the most to the last decimal', () => {
    expect(best('9007199254740993.00000001', '9007199254740993.00000002', '1')).toEqual({
      day: '2026-02-28',
      amount: '9007199254740993.00000002',
    })
  })

  it('is the latest of equal ones', () => {
    expect(best('1.5', '1.50000000', '1')?.day).toBe('2026-02-28')
  })

  it('is none if nothing is positive', () => {
    expect(best('0.00000000', '0.00000000')).toBeUndefined()
    expect(bestOf([aDay('2026-03-01', { other: '-1.00000000' })], tespOf)).toBeUndefined()
  })
})

it('sums are exact by source and by token', () => {
  const days = daysUntil('2026-03-01', 3, () => ({
    mining: '0.10000000',
    team: '0.00000001',
    rewards: '98765432109.87654321',
    other: '-0.03000000',
    usdt: '0.20000000',
  }))
  const sums = sourcesOf(days).map((source) => [source, sumOf(days, (day) => day[source])])
  expect(Object.fromEntries(sums)).toEqual({
    mining: '0.30000000',
    team: '0.00000003',
    rewards: '296296296329.62962963',
    other: '-0.09000000',
  })
  expect(sumOf(days, tespOf)).toBe('296296296329.83962966')
  expect(sumOf(days, usdtOf)).toBe('0.60000000')
})

it('corrections are listed only in a period that has one', () => {
  const without = history('xxx')
  expect(sourcesOf(without)).toEqual(['mining', 'team', 'rewards'])
  const withOne = [...without, aDay('2026-03-02', { other: '-0.00000001' })]
  expect(sourcesOf(withOne)).toEqual(['mining', 'team', 'rewards', 'other'])
})

it('a day whose only row is a negative or tiny one has rows', () => {
  expect(hasRows(aDay('2026-03-01'))).toBe(false)
  expect(hasRows(aDay('2026-03-01', { other: '-0.00000001' }))).toBe(true)
  expect(hasRows(aDay('2026-03-01', { usdt: '0.00000001' }))).toBe(true)
})
