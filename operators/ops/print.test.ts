import { expect, it } from 'vitest'
import { formatFields, formatRows } from './print.ts'

it('rows are printed as a table with aligned columns', () => {
  const at = new Date('2026-11-22T01:02:03.456Z')
  const rows = [
    { id: 7, createdAt: at, reason: null },
    { id: 12, createdAt: at, reason: { n: 1 } },
  ]
  expect(formatRows(rows)).toBe(
    [
      'id  created at            reason',
      '7   2026-11-22T01:02:03Z  –',
      '12  2026-11-22T01:02:03Z  {"n":1}',
    ].join('\n'),
  )
  expect(formatRows([])).toBe('none')
})

it('a column that only the last row has is printed', () => {
  expect(formatRows([{ id: 7 }, { id: 8, next: '9' }])).toBe('id  next\n7   –\n8   9')
})

it('fields are printed one a line', () => {
  expect(formatFields({ id: 7, frozenAt: '' })).toBe('id         7\nfrozen at  –')
})

it('texts of members cannot command the terminal', () => {
  const texts = ['\u001b[2J', '\u009b2J', 'a\rb', 'a\nb', '\u202eabc', 'x\u2028y']
  for (const fullName of texts) {
    expect(formatFields({ fullName })).toMatch(/^full name {2}[\w[\ufffd]*$/)
  }
  expect(formatFields({ fullName: 'Zoë 北 😀' })).toBe('full name  Zoë 北 😀')
})
