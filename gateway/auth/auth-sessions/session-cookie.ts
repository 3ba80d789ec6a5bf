import type { IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Config } from '#runtime/config/config'
import { cookieName } from './auth-session.ts'
import { cookieKeys } from './cookie-keys.ts'

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
