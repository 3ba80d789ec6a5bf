import { USERNAME_MAX, USERNAME_MIN } from './constants.ts'

/** The form in which a user name is stored and shown. */
export function normalizeUsername(input: string): string {
  return input.normalize('NFKC').trim()
}

/** What two user names share when they differ in case alone; the unique key. */
export function usernameKey(input: string): string {
  // One change of case does not fold every letter: ẞ is ß in lower case, and ß is SS in upper.
  const folded = normalizeUsername(input).toLowerCase().toUpperCase().toLowerCase()
  // Changing the case can decompose a letter, and compose what stood decomposed before.
  return folded.normalize('NFKC')
}

/**
 * 3 to 30 letters of any script, digits, `_`, `.` or `-`, after normalisation; never an `@`, and
 * nothing invisible, which would let two names look the same.
 */
export function isUsername(input: string): boolean {
  const name = normalizeUsername(input)
  const length = [...name].length
  if (length < USERNAME_MIN || length > USERNAME_MAX) return false
  return /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) && !/\p{Default_Ignorable_Code_Point}/u.test(name)
}

/** The form in which an e-mail address is stored; the case of its letters is kept. */
export function normalizeEmail(input: string): string {
  return input.normalize('NFC').trim()
}

/** What two spellings of one e-mail address share; the unique key. */
export function emailKey(input: string): string {
  return normalizeEmail(input).toLowerCase()
}
