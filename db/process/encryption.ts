import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** One purpose's own key, so that no two purposes share one. */
function derive(dataKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `tesp ${purpose}`, 32))
}

/** Encrypts bytes at rest (AES-256-GCM); only the same key and purpose open them. */
export function encrypt(dataKey: Buffer, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derive(dataKey, purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/**
 * Opens what `seal` closed.
 * @throws when the bytes, the key or the purpose are others
 */
export function decrypt(dataKey: Buffer, purpose: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, derive(dataKey, purpose), nonce)
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ])
}

/** A keyed hash of a short secret: without the key its million values can't be tried offline. */
export function keyedHash(dataKey: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', derive(dataKey, purpose)).update(text).digest('base64url')
}
