import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { agoText } from './ages.ts'
import { amountText, balanceText, exactText, grouped, wholeText } from './amounts.ts'
import {
  dateText,
  dateTimeRangeText,
  dateTimeText,
  dayText,
  timeText,
  utcDayText,
} from './dates.ts'

beforeAll(() => changeLanguage('vi'))
afterAll(() => changeLanguage('en'))

it('Vietnamese figures have a decimal comma and points between thousands', () => {
  expect(grouped('-1234567.1234')).toBe('-1.234.567,1234')
  expect(balanceText('1234.56789999', 'TESP')).toBe('1.234,5678')
  expect(amountText('0.00999999', 'USDT')).toBe('<0,01')
  expect(exactText('987654321.7654321', 'USDT')).toBe('987.654.321,76543210 USDT')
  expect(wholeText(1_203)).toBe('1.203')
})

it('Vietnamese dates are in digits, the day first', () => {
  const at = (date: number, hour: number) => new Date(2026, 2, date, hour, 5).getTime()
  expect(dateText(at(4, 9))).toBe('04/03/2026')
  expect(dayText(at(4, 9))).toBe('Thứ 4, 04/03/2026')
  expect(timeText(at(4, 9))).toBe('09:05')
  expect(dateTimeText(at(4, 9))).toBe('09:05 04/03/2026')
  expect(dateTimeRangeText(at(4, 9), at(4, 10))).toMatch(/^09:05.10:05 04\/03\/2026$/)
  expect(dateTimeRangeText(at(4, 23), at(5, 0))).toMatch(/ 04\/03\/2026.+ 05\/03\/2026$/)
  expect(utcDayText('2026-03-01')).toBe('Chủ Nhật, 01/03/2026')
})

it('Vietnamese ages are in Vietnamese', () => {
  expect(agoText(45_999)).toBe('45 giây trước')
})
