import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact, display, fromUnits, isPositive, minus, sum, times, toUnits } from './money.ts'

const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
const amount = units.map(fromUnits)

describe('toUnits and fromUnits', () => {
  it('toUnits reverses fromUnits for any amount', () => {
    fc.assert(fc.property(units, (value) => toUnits(fromUnits(value)) === value))
  })

  it('fromUnits always writes 8 places', () => {
    fc.assert(fc.property(units, (value) => /^-?\d+\.\d{8}$/.test(fromUnits(value))))
  })

  it('toUnits reads amounts with fewer places', () => {
    expect(toUnits('2')).toBe(200_000_000n)
    expect(toUnits('-0.5')).toBe(-50_000_000n)
    expect(toUnits('12.30')).toBe(1_230_000_000n)
  })

  it.each(['', '.5', '1.', '1.123456789', '1e3', ' 1', '+1', '1,5', 'NaN', '--1', '0x1', '1\n'])(
    'toUnits rejects %j',
    (text) => {
      expect(() => toUnits(text)).toThrow(RangeError)
    },
  )
})

describe('sum and minus', () => {
  it('sum is exact where floating-point numbers are not', () => {
    expect(sum('0.1', '0.2')).toBe('0.30000000')
    expect(sum('90071992547409.93000001', '0.00000001')).toBe('90071992547409.93000002')
    expect(sum()).toBe('0.00000000')
  })

  it('minus reverses sum for any amounts', () => {
    fc.assert(fc.property(amount, amount, (a, b) => minus(sum(a, b), b) === a))
  })

  it('sum does not depend on order or grouping', () => {
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
  it('times truncates towards zero to 8 places', () => {
    expect(times('0.1', '1.05')).toBe('0.10500000')
    expect(times('0.00000001', '0.5')).toBe('0.00000000')
    expect(times('0.00000003', '0.5')).toBe('0.00000001')
    expect(times('-0.00000003', '0.5')).toBe('-0.00000001')
  })

  it('times is below the exact product by less than one unit', () => {
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
  it('display truncates towards zero', () => {
    expect(display('0.99999999', 4)).toBe('0.9999')
    expect(display('-0.99999999', 2)).toBe('-0.99')
    expect(display('12.34567891', 0)).toBe('12')
    expect(display('7', 2)).toBe('7.00')
  })

  it('display shows no minus before zero', () => {
    expect(display('-0.00000001', 4)).toBe('0.0000')
    expect(display('-0.4', 0)).toBe('0')
  })

  it('display differs from the amount by less than one last place, towards zero', () => {
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
  it('compact drops trailing zeros and keeps two places', () => {
    expect(compact('0.5')).toBe('0.50')
    expect(compact('0.03333333')).toBe('0.03333333')
    expect(compact('10')).toBe('10.00')
    expect(compact('1.23400000')).toBe('1.234')
  })

  it('compact keeps the exact amount', () => {
    fc.assert(fc.property(units, (value) => toUnits(compact(fromUnits(value))) === value))
  })
})

it('isPositive is true only above zero', () => {
  expect([isPositive('0.00000001'), isPositive('0'), isPositive('-1')]).toEqual([
    true,
    false,
    false,
  ])
})
