import { expect, it } from 'vitest'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { base32, stepOf } from './one-time-code.ts'

const SECRET = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B, with six digits. */
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code at second %d is %s', (second, code) => {
  expect(codeOf(SECRET, Math.floor(second / 30))).toBe(code)
  expect(stepOf(SECRET, code, second * 1000)).toBe(Math.floor(second / 30))
})

it('a code is accepted for one step before and after, and no longer', () => {
  const now = 3_000_000
  const steps = [97, 98, 99, 100, 101, 102].map((step) => stepOf(SECRET, codeOf(SECRET, step), now))
  expect(steps).toEqual([undefined, undefined, 99, 100, 101, undefined])
})

it('a secret is written in base32', () => {
  expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(base32(Buffer.from('fo'))).toBe('MZXQ')
})

it.each(['１２３４５６', '12345é', '12345', ' 123456', ''])('%j is no code', (text) => {
  expect(stepOf(SECRET, text, 99 * 30_000)).toBeUndefined()
})
