import { expect, it } from 'vitest'
import { csvLine, textCell } from './statement.ts'

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '＋1', '－1', '＠A1'])(
  'a cell that starts like the formula %j is text',
  (text) => {
    expect(textCell(text).replace(/^"/, '')).toMatch(/^'/)
  },
)

it('quotes, commas and line breaks stay inside their cell', () => {
  expect(textCell('a "b", c')).toBe('"a ""b"", c"')
  expect(textCell('one\r\ntwo')).toBe('"one\r\ntwo"')
  expect(textCell('=HYPERLINK("http://a","b")')).toBe(`"'=HYPERLINK(""http://a"",""b"")"`)
})

it('plain text and numbers are written as they are', () => {
  expect(csvLine([textCell('Thưởng đào'), '-1.50000000', 3])).toBe('Thưởng đào,-1.50000000,3\r\n')
})
