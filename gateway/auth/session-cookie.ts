import { type IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import type { Config } from '#db/process/config'
import { authSessionName } from '#gateway/services/auth-session-store'
import { cookieName } from './auth-session.ts'

/**
 * Reads the name of the sign-in that a request's cookie carries; undefined without a valid
 * signature. Verified cookies are remembered, because a signature takes three HMACs and a poll comes
 * each 5 s with the same one.
 * @param capacity remembered cookies; the oldest leaves first
 */
export function sessionCookieReader(
  config: Config,
  capacity: number,
): (request: IncomingMessage) => string | undefined {
  const cookie = cookieName(config)
  const names = new Map<string, string>()
  return (request) => {
    // The response is never sent; `cookies` would set a renewed signature on it.
    const cookies = new Cookies(request, new ServerResponse(request), { keys: config.sessionKeys })
    const given = `${cookies.get(cookie, { signed: false })}.${cookies.get(`${cookie}.sig`, { signed: false })}`
    const known = names.get(given)
    if (known) return known
    const id = cookies.get(cookie, { signed: true })
    if (!id) return undefined
    const name = authSessionName(id)
    names.set(given, name)
    if (names.size > capacity) names.delete(names.keys().next().value as string)
    return name
  }
}
