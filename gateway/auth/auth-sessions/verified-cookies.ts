import type { IncomingMessage } from 'node:http'

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
