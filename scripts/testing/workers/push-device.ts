import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushSubscription } from '#db/reminders/push-subscriptions'

const KEY_BYTES = 65
const TAG_BYTES = 16

/** A browser that can decrypt push messages; its keys are those of its subscription. */
export class PushDevice {
  private readonly pair = createECDH('prime256v1')
  private readonly auth = randomBytes(16)

  constructor(readonly endpoint: string) {
    this.pair.generateKeys()
  }

  get subscription(): PushSubscription {
    const { endpoint, pair, auth } = this
    return { endpoint, p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
  }

  /** Decrypts a message of one record in `aes128gcm` (RFC 8188, RFC 8291). */
  decrypt(message: Buffer): string {
    const salt = message.subarray(0, 16)
    const sender = message.subarray(21, 21 + KEY_BYTES)
    const record = message.subarray(21 + KEY_BYTES)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.pair.getPublicKey(), sender])
    const derive = (from: Buffer, salt: Buffer, purpose: Buffer | string, length: number) =>
      Buffer.from(hkdfSync('sha256', from, salt, purpose, length))
    const shared = derive(this.pair.computeSecret(sender), this.auth, info, 32)
    const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-TAG_BYTES))
    const padded = Buffer.concat([
      decipher.update(record.subarray(0, -TAG_BYTES)),
      decipher.final(),
    ])
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  }
}
