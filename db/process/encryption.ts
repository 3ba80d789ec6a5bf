import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives the key of one purpose, so that no two purposes share a key. */
function derive(dataKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `tesp ${purpose}`, 32))
}

/** Encrypts bytes at rest with AES-256-GCM: nonce, authentication tag, ciphertext. */
export function encrypt(dataKey: Buffer, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derive(dataKey, purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/**
 * Decrypts what `encrypt` returned.
 * @throws when key or purpose differ, or the bytes were changed
 */
export function decrypt(dataKey: Buffer, purpose: string, encrypted: Buffer): Buffer {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, derive(dataKey, purpose), nonce)
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([
    decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ])
}

/** HMAC-SHA-256 of a short secret: without the key its few values cannot be tried offline. */
export function keyedHash(dataKey: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', derive(dataKey, purpose)).update(text).digest('base64url')
}
