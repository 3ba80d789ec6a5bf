import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect, isRowError } from './bisect.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Work that fails as a whole if one of its items is bad, as a statement does. */
const statement =
  (bad: Set<number>, runs: number[][] = []) =>
  async (items: number[]) => {
    runs.push(items)
    if (items.some((item) => bad.has(item))) throw withCode('23514')
    return items
  }

describe('bisect', () => {
  it('processes every good item exactly once and finds exactly the bad ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 200 }),
        fc.array(fc.nat(199), { maxLength: 12 }),
        async (count, bad) => {
          const items = numbers(count)
          const { results, offenders } = await bisect(items, statement(new Set(bad)))
          expect(results.flat()).toEqual(items.filter((item) => !bad.includes(item)))
          expect(offenders.map(({ item }) => item)).toEqual(
            items.filter((item) => bad.includes(item)),
          )
        },
      ),
    )
  })

  it('needs one run without a bad item and a logarithmic number with one', async () => {
    const runs: number[][] = []
    await bisect(numbers(1_024), statement(new Set(), runs))
    expect(runs).toHaveLength(1)
    runs.length = 0
    await bisect(numbers(1_024), statement(new Set([700]), runs))
    expect(runs.length).toBeLessThanOrEqual(2 * 10 + 1)
  })

  it('rethrows an error that is not the fault of a row', async () => {
    const lost = withCode('57P01')
    await expect(bisect([1, 2], () => Promise.reject(lost))).rejects.toBe(lost)
  })
})

describe('isRowError', () => {
  it.each(['22003', '22012', '23502', '23505', '23514', 'P0001'])('%s blames a row', (code) => {
    expect(isRowError(withCode(code))).toBe(true)
  })
  it.each(['40001', '40P01', '53300', '57P01', '08006', 'ECONNREFUSED'])(
    '%s blames no row',
    (code) => expect(isRowError(withCode(code))).toBe(false),
  )
  it('a row without its partition blames no row', () => {
    const error = new Error('new row for relation "x" violates partition constraint')
    expect(isRowError(Object.assign(error, { code: '23514' }))).toBe(false)
  })
})
