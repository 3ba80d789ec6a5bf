import { USERNAME_MAX, USERNAME_MIN } from '#rules/constants'

/** The stored and displayed form of a user name: NFKC, trimmed. */
export function normalizeUsername(input: string): string {
  return input.normalize('NFKC').trim()
}

/** Case-folded form of a user name, unique in the database (`users.usernameKey`). */
export function usernameKey(input: string): string {
  // One conversion does not fold every letter: ẞ is ß in lower case, and ß is SS in upper case.
  const folded = normalizeUsername(input).toLowerCase().toUpperCase().toLowerCase()
  // Case conversion can decompose letters or compose decomposed ones.
  return folded.normalize('NFKC')
}

/** 3 to 30 letters of any script, digits, `_`, `.`, `-`; invisible characters would make two names look equal. */
export function isUsername(input: string): boolean {
  const name = normalizeUsername(input)
  const length = [...name].length
  if (length < USERNAME_MIN || length > USERNAME_MAX) return false
  return /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) && !/\p{Default_Ignorable_Code_Point}/u.test(name)
}

/** The stored form of an e-mail address: NFC, trimmed, case preserved. */
export function normalizeEmail(input: string): string {
  return input.normalize('NFC').trim()
}

/** Case-folded form of an e-mail address, unique in the database (`users.emailKey`). */
export function emailKey(input: string): string {
  return normalizeEmail(input).toLowerCase()
}

/** Name of a deleted member as other members see it. */
export const DELETED_MEMBER = 'Deleted member'

/** Pseudonym in a deleted member's row. It cannot collide: names have no colon, e-mail addresses have an `@`. */
export function deletedName(memberId: number): string {
  return `deleted:${memberId}`
}
