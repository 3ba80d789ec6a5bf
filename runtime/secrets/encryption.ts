import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bytes of one data key. `DATA_KEY` is a key ring: its keys one after the other in one buffer. */
export const DATA_KEY_BYTES = 32

/** No two purposes share a key. */
function derive(dataKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `tesp ${purpose}`, 32))
}

/** The keys of a ring: the first is current, the others are older and only read. */
function keysOf(ring: Buffer): [current: Buffer, ...older: Buffer[]] {
  const keys: [Buffer, ...Buffer[]] = [ring.subarray(0, DATA_KEY_BYTES)]
  for (let at = DATA_KEY_BYTES; at < ring.length; at += DATA_KEY_BYTES) {
    keys.push(ring.subarray(at, at + DATA_KEY_BYTES))
  }
  return keys
}

/** AES-256-GCM under the current key: nonce, authentication tag, ciphertext. */
export function encrypt(ring: Buffer, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derive(keysOf(ring)[0], purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decryptWith(key: Buffer, encrypted: Buffer): Buffer {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce)
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([
    decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ])
}

export type Opened = { plain: Buffer; isCurrent: boolean }

/** Tries each key; the tag rejects wrong ones. @throws if none fits, the purpose differs or the bytes changed */
export function open(ring: Buffer, purpose: string, encrypted: Buffer): Opened {
  let failure: unknown
  for (const [age, key] of keysOf(ring).entries()) {
    try {
      return { plain: decryptWith(derive(key, purpose), encrypted), isCurrent: age === 0 }
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

export function decrypt(ring: Buffer, purpose: string, encrypted: Buffer): Buffer {
  return open(ring, purpose, encrypted).plain
}

/** The current key's hash first: store it, compare with all. Without a key a short secret cannot be tried offline. */
export function keyedHashes(ring: Buffer, purpose: string, text: string): [string, ...string[]] {
  const hash = (key: Buffer) =>
    createHmac('sha256', derive(key, purpose)).update(text).digest('base64url')
  const [current, ...older] = keysOf(ring)
  return [hash(current), ...older.map(hash)]
}

export function keyedHash(ring: Buffer, purpose: string, text: string): string {
  return keyedHashes(ring, purpose, text)[0]
}
