import { createHmac, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '#rules/constants'
import { base32 } from './one-time-code.ts'

/** 50 random bits are ten characters of base32. */
const CODE_CHARACTERS = 10
const CODE_BYTES = 7

/** A code as the member sees it, such as `k3mwq-x7pda`. */
function newCode(): string {
  const text = base32(randomBytes(CODE_BYTES)).slice(0, CODE_CHARACTERS).toLowerCase()
  return `${text.slice(0, CODE_CHARACTERS / 2)}-${text.slice(CODE_CHARACTERS / 2)}`
}

/** New recovery codes as the member sees them once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode)
}

/**
 * The stored form of a recovery code: an HMAC under the member's secret, which is encrypted. A copy of
 * the database alone cannot try codes, and a renewed `DATA_KEY` keeps them valid.
 */
export function recoveryHash(secret: Buffer, code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z2-7]/g, '')
  return createHmac('sha256', secret).update(`recovery code:${typed}`).digest('base64url')
}
