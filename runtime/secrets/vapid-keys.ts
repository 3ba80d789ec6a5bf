import { createECDH } from 'node:crypto'

const CURVE = 'prime256v1'

/** A new key pair for push messages (VAPID, RFC 8292), in base64url. */
export function newKeyPair(): { publicKey: string; privateKey: string } {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys('base64url')
  // Leading zeros are missing otherwise.
  const privateKey = Buffer.alloc(32)
  const bytes = pair.getPrivateKey()
  bytes.copy(privateKey, privateKey.length - bytes.length)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}

/** Whether the private key belongs to the public one; also if both are absent. */
export function isKeyPair(publicKey: string | undefined, privateKey: string | undefined): boolean {
  if (!publicKey || !privateKey) return publicKey === privateKey
  try {
    const pair = createECDH(CURVE)
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
  } catch {
    return false
  }
}
