import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  isCompleteCode,
  isReferralCode,
  normalizeReferralCode,
  REFERRAL_ALPHABET,
  referralCodeOf,
} from './referral-code.ts'

it('a referral code is TESP and six characters that do not look alike', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 12 }), (bytes) =>
      /^TESP[ABCDEFGHJKLMNPQRSTUVWXYZ23456789]{6}$/.test(referralCodeOf(bytes)),
    ),
  )
  expect(REFERRAL_ALPHABET).not.toMatch(/[IO01]/)
})

it('referralCodeOf makes every character equally likely', () => {
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    const letter = referralCodeOf(new Uint8Array(6).fill(byte)).charAt(4)
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(counts.size).toBe(32)
  expect(new Set(counts.values())).toEqual(new Set([8]))
})

it('normalizeReferralCode accepts lower case, spaces, hyphens and wide letters', () => {
  for (const typed of ['tesp-abc 234', ' TESP ABC234\t', 'ＴＥＳＰabc234', 'te-sp-abc-2-3-4']) {
    expect(normalizeReferralCode(typed)).toBe('TESPABC234')
  }
})

it('normalizeReferralCode is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      const code = normalizeReferralCode(typed)
      return normalizeReferralCode(code) === code
    }),
  )
})

it('isCompleteCode accepts codes of the length of a generated one', () => {
  expect(isCompleteCode(referralCodeOf(new Uint8Array(6)))).toBe(true)
  expect(['TESPABC23', 'TESPABC2345', 'ABCDABC234', ''].some(isCompleteCode)).toBe(false)
})

it('isReferralCode accepts TESP followed by upper-case letters or digits only', () => {
  expect(['TESPABC234', 'TESP0', 'TESPZZZZZZ'].every(isReferralCode)).toBe(true)
  expect(['', 'TESP', 'tespabc', 'ABC234', 'XTESPA', 'TESP-A', 'TESPÄ'].some(isReferralCode)).toBe(
    false,
  )
})
