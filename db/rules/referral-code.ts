/** Letters and digits of a code's random part: none that look alike (rules.md: Team). */
export const REFERRAL_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Length of the random part. */
export const REFERRAL_LENGTH = 6
/** Each code starts with it (Specification §5). */
export const REFERRAL_PREFIX = 'TESP'

/** A referral code made of random bytes; 32 letters divide 256 evenly, so none is likelier. */
export function referralCodeOf(bytes: Uint8Array): string {
  const letters = Array.from(bytes.subarray(0, REFERRAL_LENGTH), (byte) =>
    REFERRAL_ALPHABET.charAt(byte % REFERRAL_ALPHABET.length),
  )
  return REFERRAL_PREFIX + letters.join('')
}

/** What a member typed, in the form in which codes are stored: upper case, no spaces or hyphens. */
export function normalizeReferralCode(input: string): string {
  return input.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
}

/** Whether a code, in its stored form, is `TESP` and upper-case letters or digits (Specification §5). */
export function isReferralCode(code: string): boolean {
  return /^TESP[A-Z0-9]+$/.test(code)
}
