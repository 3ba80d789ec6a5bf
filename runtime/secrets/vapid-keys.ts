import { createECDH } from 'node:crypto'

const CURVE = 'prime256v1'

/** For push messages (VAPID, RFC 8292), in base64url. */
export function newPrivateKey(): string {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // Leading zeros are missing otherwise.
  const hex = pair.getPrivateKey('hex').padStart(64, '0')
  return Buffer.from(hex, 'hex').toString('base64url')
}

/** Browsers subscribe with this key. @throws if the bytes are no key of the curve */
export function publicKeyOf(privateKey: string): string {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey, 'base64url')
  return pair.getPublicKey('base64url')
}
