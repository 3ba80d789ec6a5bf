import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#rules/members/languages'
import { amountText, balanceText, exactText, grouped, SEPARATORS, signedText } from './amounts.ts'

it.each(LANGUAGES)('the separators of %s are those of Intl', (language) => {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5)
  const of = (type: string) => parts.find((part) => part.type === type)?.value
  expect(SEPARATORS[language]).toEqual({ group: of('group'), decimal: of('decimal') })
})

it('thousands are separated in the whole part only', () => {
  expect(grouped('0.12345678')).toBe('0.12345678')
  expect(grouped('999')).toBe('999')
  expect(grouped('1000')).toBe('1,000')
  expect(grouped('-1234567.1234')).toBe('-1,234,567.1234')
})

it('a balance has the decimals of its token, truncated', () => {
  expect(balanceText('12345678901.99999999', 'USDT')).toBe('12,345,678,901.99')
  expect(balanceText('1234.56789999', 'TESP')).toBe('1,234.5678')
})

describe('amounts of a list', () => {
  it.each([
    ['0', 'USDT', '0.00'],
    ['0.00999999', 'USDT', '<0.01'],
    ['0.01', 'USDT', '0.01'],
    ['0.00002777', 'TESP', '<0.0001'],
    ['0.0001', 'TESP', '0.0001'],
    ['1000', 'TESP', '1,000.0000'],
  ] as const)('%s %s reads %s', (amount, token, text) => {
    expect(amountText(amount, token)).toBe(text)
  })
})

it('an exact amount has eight decimals and its token', () => {
  expect(exactText('987654321.7654321', 'USDT')).toBe('987,654,321.76543210 USDT')
  expect(exactText('0.00002777', 'TESP')).toBe('0.00002777 TESP')
})

it('a negative amount has a minus sign and is cut towards zero', () => {
  expect(signedText('-1234.56789999', 'TESP')).toMatch(/^−1,234\.5678/)
  expect(signedText('0.50000000', 'TESP')).not.toContain('−')
})
