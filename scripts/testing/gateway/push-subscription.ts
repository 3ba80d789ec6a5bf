import { createECDH, randomBytes } from 'node:crypto'

/** A subscription as a browser sends it, with a unique endpoint. */
export function aSubscription(endpoint = `https://push.example/${randomBytes(9).toString('hex')}`) {
  const pair = createECDH('prime256v1')
  return {
    endpoint,
    p256dh: pair.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}
