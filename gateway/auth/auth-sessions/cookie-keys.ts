import { createHmac, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'

/** What Koa and `cookies` sign with and verify against. */
type CookieKeys = Exclude<Koa['keys'], string[]>

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Keys that sign cookies with the signatures of Keygrip: the first signs, each verifies. Keygrip is
 * not used because it compares by two further HMACs under a random key, made for each request.
 */
export function cookieKeys(keys: string[]): CookieKeys {
  const signWith = (key: string, data: string) =>
    createHmac('sha1', key).update(data).digest('base64url')
  const index = (data: string, signature: string) =>
    keys.findIndex((key) => isEqual(signature, signWith(key, data)))
  return {
    sign: (data) => signWith(keys[0] ?? '', data),
    index,
    verify: (data, signature) => index(data, signature) >= 0,
  }
}
