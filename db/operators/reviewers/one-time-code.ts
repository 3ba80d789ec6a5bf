import { createHmac } from 'node:crypto'

/** Time-based one-time codes (RFC 6238) as authenticator apps make them: SHA-1, six digits, 30 s. */

const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a step, which is the number of 30-second periods since 1970. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * The step whose code this is; undefined for any other text. Codes of the step before and after count
 * too, because clocks differ.
 * @param now real time, ms
 */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS)
  return [current, current - 1, current + 1].find((step) => codeOf(secret, step) === code)
}

/** Bytes in base32 without padding, as authenticator apps read a secret. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
