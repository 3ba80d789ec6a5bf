import { Secret, TOTP } from 'otpauth'

/** Time-based one-time codes (RFC 6238) as authenticator apps make them: SHA-1, six digits, 30 s. */

const STEP_MS = 30_000
const DIGITS = 6

/** Bytes of a new secret: RFC 4226 recommends as many as SHA-1 has. */
export const SECRET_BYTES = 20

const secretOf = (bytes: Buffer) => new Secret({ buffer: new Uint8Array(bytes).buffer })

/**
 * The step whose code this is, in 30 s periods since 1970; undefined for any other text. Codes of the step
 * before and after count too, because clocks differ. `now` is real time, ms.
 */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  // OTPAuth throws for other characters that take more bytes.
  if (!/^\d{6}$/.test(code)) return undefined
  const token = { token: code, secret: secretOf(secret), digits: DIGITS }
  const distance = TOTP.validate({ ...token, timestamp: now, window: 1 })
  return distance === null ? undefined : Math.floor(now / STEP_MS) + distance
}

/** Bytes in base32 without padding, as authenticator apps read a secret. */
export function base32(bytes: Buffer): string {
  return secretOf(bytes).base32
}

/** The address that an authenticator app reads: `issuer` is the product, `label` the account. */
export function authenticatorUri(issuer: string, label: string, secret: Buffer): string {
  return new TOTP({ issuer, label, secret: secretOf(secret), digits: DIGITS }).toString()
}
