import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import type Koa from 'koa'
import { isSecure } from '#gateway/security/origins'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Config } from '#runtime/config/config'

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
  const verify = (data: string, signature: string) =>
    keys.some((key) => isEqual(signature, signWith(key, data)))
  return {
    sign: (data) => signWith(keys[0] ?? '', data),
    // `cookies` signs again for any other index than 0, and drops the expiry of the signature.
    index: (data, signature) => (verify(data, signature) ? 0 : -1),
    verify,
  }
}

/** Name of the session cookie; over TLS the prefix `__Host-` pins it to this host. */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-tesp' : 'tesp'
}

/** `cookies` sets a renewed signature on the response; readers of this file have none. */
const NO_RESPONSE = { getHeader: () => [], setHeader() {} } as unknown as ServerResponse

/**
 * Reads the name of the sign-in that a request's signed session cookie carries, for requests that do
 * not pass through Koa; undefined without a valid signature.
 */
export function sessionCookieReader(
  config: Config,
): (request: IncomingMessage) => string | undefined {
  const name = cookieName(config)
  // One object for all requests: `get` is synchronous and reads nothing else of a request.
  const cookies = new Cookies({} as IncomingMessage, NO_RESPONSE, {
    keys: cookieKeys(config.sessionKeys),
  })
  return (request) => {
    cookies.request = request
    const id = cookies.get(name, { signed: true })
    return id && authSessionName(id)
  }
}

/** Longest `Cookie` header that is kept: ours has about 150 characters. */
const MAX_LENGTH = 512

/**
 * Remembers the sign-in names of cookies whose signature was valid, so that a poll costs no HMAC. The
 * signature depends on the cookie and on keys that do not change while the process runs; whether
 * the sign-in still exists is not remembered.
 * @param capacity headers that are kept; the oldest leaves first
 */
export function verifiedCookies(
  nameOf: (request: IncomingMessage) => string | undefined,
  capacity: number,
): (request: IncomingMessage) => string | undefined {
  const names = new Map<string, string>()
  return (request) => {
    const { cookie = '' } = request.headers
    const known = names.get(cookie)
    if (known !== undefined) return known
    const name = nameOf(request)
    if (name === undefined || cookie.length > MAX_LENGTH) return name
    if (names.size >= capacity) names.delete(names.keys().next().value as string)
    names.set(cookie, name)
    return name
  }
}
