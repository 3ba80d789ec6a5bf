import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import type Koa from 'koa'
import { isSecure } from '#gateway/security/origins'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Config } from '#runtime/config/config'

type CookieKeys = Exclude<Koa['keys'], string[]>

export function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Keygrip's signatures (the first key signs, each verifies) without its two further HMACs per comparison. */
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

/** Over TLS the prefix `__Host-` pins the cookie to this host. */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-tesp' : 'tesp'
}

/** `cookies` sets a renewed signature on the response; readers of this file have none. */
const NO_RESPONSE = { getHeader: () => [], setHeader() {} } as unknown as ServerResponse

/** Reads the sign-in's name from the signed cookie without Koa; undefined without a valid signature. */
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
 * Remembers the sign-in names of cookies with a valid signature, so that a poll costs no HMAC. The keys do not
 * change while the process runs; whether the sign-in still exists is not remembered.
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
