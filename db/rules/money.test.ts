import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact, display, fromUnits, isPositive, minus, sum, times, toUnits } from './money.ts'

const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
const amount = units.map(fromUnits)

describe('toUnits and fromUnits', () => {
  it('read back what they wrote, for any amount', () => {
    fc.assert(fc.property(units, (value) => toUnits(fromUnits(value)) === value))
  })

  it('always write 8 places', () => {
    fc.assert(fc.property(units, (value) => /^-?\d+\.\d{8}$/.test(fromUnits(value))))
  })

  it('read amounts with fewer places', () => {
    expect(toUnits('2')).toBe(200_000_000n)
    expect(toUnits('-0.5')).toBe(-50_000_000n)
    expect(toUnits('12.30')).toBe(1_230_000_000n)
  })

  it.each(['', '.5', '1.', '1.123456789', '1e3', ' 1', '+1', '1,5', 'NaN', '--1', '0x1', '1\n'])(
    'refuse %j, which is not an amount',
    (text) => {
      expect(() => toUnits(text)).toThrow(RangeError)
    },
  )
})

describe('sum and minus', () => {
  it('are exact where numbers are not', () => {
    expect(sum('0.1', '0.2')).toBe('0.30000000')
    expect(sum('90071992547409.93000001', '0.00000001')).toBe('90071992547409.93000002')
    expect(sum()).toBe('0.00000000')
  })

  it('undo each other, for any amounts', () => {
    fc.assert(fc.property(amount, amount, (a, b) => minus(sum(a, b), b) === a))
  })

  it('do not depend on the order or the grouping', () => {
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const paired = amounts.reduce((total, next) => sum(total, next), '0')
        expect(sum(...amounts.toReversed())).toBe(sum(...amounts))
        expect(toUnits(paired)).toBe(toUnits(sum(...amounts)))
      }),
    )
  })
})

describe('times', () => {
  it('multiplies exactly and cuts towards zero behind 8 places', () => {
    expect(times('0.1', '1.05')).toBe('0.10500000')
    expect(times('0.00000001', '0.5')).toBe('0.00000000')
    expect(times('0.00000003', '0.5')).toBe('0.00000001')
    expect(times('-0.00000003', '0.5')).toBe('-0.00000001')
  })

  it('never gives more than the exact product, by less than one unit', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const exact = toUnits(a) * toUnits(b)
        const rest = exact - toUnits(times(a, b)) * 10n ** 8n
        const size = rest < 0n ? -rest : rest
        expect(size < 10n ** 8n).toBe(true)
        expect(rest === 0n || rest > 0n === exact > 0n).toBe(true)
      }),
    )
  })
})

describe('display', () => {
  it('cuts towards zero and never rounds up', () => {
    expect(display('0.99999999', 4)).toBe('0.9999')
    expect(display('-0.99999999', 2)).toBe('-0.99')
    expect(display('12.34567891', 0)).toBe('12')
    expect(display('7', 2)).toBe('7.00')
  })

  it('shows no minus before a zero', () => {
    expect(display('-0.00000001', 4)).toBe('0.0000')
    expect(display('-0.4', 0)).toBe('0')
  })

  it('stays within one last place of the amount, on the side of zero', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 8 }), (value, places) => {
        const shown = toUnits(display(fromUnits(value), places))
        const size = (n: bigint) => (n < 0n ? -n : n)
        expect(size(shown) <= size(value)).toBe(true)
        expect(size(value) - size(shown) < 10n ** BigInt(8 - places)).toBe(true)
      }),
    )
  })
})

describe('compact', () => {
  it('drops needless zeros and keeps two places', () => {
    expect(compact('0.5')).toBe('0.50')
    expect(compact('0.03333333')).toBe('0.03333333')
    expect(compact('10')).toBe('10.00')
    expect(compact('1.23400000')).toBe('1.234')
  })

  it('keeps the value', () => {
    fc.assert(fc.property(units, (value) => toUnits(compact(fromUnits(value))) === value))
  })
})

it('isPositive holds above zero alone', () => {
  expect([isPositive('0.00000001'), isPositive('0'), isPositive('-1')]).toEqual([
    true,
    false,
    false,
  ])
})
