import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { agoText } from './ages.ts'
import { amountText, balanceText, exactText, grouped, wholeText } from './amounts.ts'
import { dateText, utcDayText } from './dates.ts'

beforeAll(() => changeLanguage('vi'))
afterAll(() => changeLanguage('en'))

it('Vietnamese figures have a decimal comma and points between thousands', () => {
  expect(grouped('-1234567.1234')).toBe('-1.234.567,1234')
  expect(balanceText('1234.56789999', 'TESP')).toBe('1.234,5678')
  expect(amountText('0.00999999', 'USDT')).toBe('<0,01')
  expect(exactText('987654321.7654321', 'USDT')).toBe('987.654.321,76543210 USDT')
  expect(wholeText(1_203)).toBe('1.203')
})

it('Vietnamese dates and ages are in Vietnamese', () => {
  expect(dateText('2026-03-01T12:30:00.000Z')).toMatch(/thg 3|tháng 3/)
  expect(utcDayText('2026-03-01')).toMatch(/Chủ Nhật/i)
  expect(agoText(45_999)).toBe('45 giây trước')
})
