/** Alphabet of a code's random part, without characters that look alike (rules.md: Team). */
export const REFERRAL_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Length of the random part. */
export const REFERRAL_LENGTH = 6
/** Prefix of every code (Specification §5). */
export const REFERRAL_PREFIX = 'TESP'

/** A referral code from random bytes; 32 divides 256, so all characters are equally likely. */
export function referralCodeOf(bytes: Uint8Array): string {
  const letters = Array.from(bytes.subarray(0, REFERRAL_LENGTH), (byte) =>
    REFERRAL_ALPHABET.charAt(byte % REFERRAL_ALPHABET.length),
  )
  return REFERRAL_PREFIX + letters.join('')
}

/** Whether a stored code has the form of a generated one: complete, not still being typed. */
export function isCompleteCode(code: string): boolean {
  return isReferralCode(code) && code.length === REFERRAL_PREFIX.length + REFERRAL_LENGTH
}

/** The stored form of a typed code: NFKC, upper case, no spaces or hyphens. */
export function normalizeReferralCode(input: string): string {
  return input.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
}

/** Whether a stored code is `TESP` and upper-case letters or digits (Specification §5). */
export function isReferralCode(code: string): boolean {
  return /^TESP[A-Z0-9]+$/.test(code)
}
