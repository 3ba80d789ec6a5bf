import type { IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import { cookieName } from '#gateway/auth/auth-session'
import type { LiveServer, LiveSocket } from '#gateway/live/rooms'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { signInLoader } from './sign-ins.ts'

/** `cookies` sets a renewed signature on the response, which a handshake does not have. */
const NO_RESPONSE = { getHeader: () => [], setHeader() {} } as unknown as ServerResponse

/** Time for a rejection to reach the client before its connection is closed. */
const REJECTION_MS = 1_000

/**
 * Frees the request and the headers of the handshake, which nothing reads afterwards. Socket.IO
 * documents it for `request`.
 */
function releaseRequest(socket: LiveSocket): void {
  Object.assign(socket, { handshake: undefined })
  Object.assign(socket.conn, { request: undefined })
}

/** Reads the name of the sign-in from the signed session cookie of a handshake. */
function authSessionReader({ config }: Services): (request: IncomingMessage) => string | undefined {
  const name = cookieName(config)
  // One object for all handshakes: `get` is synchronous and reads nothing else of a request.
  const cookies = new Cookies({} as IncomingMessage, NO_RESPONSE, { keys: config.sessionKeys })
  return (request) => {
    cookies.request = request
    const id = cookies.get(name, { signed: true })
    return id && authSessionName(id)
  }
}

/**
 * Authenticates each handshake by the signed session cookie only: `auth` and query of the handshake
 * are client input and are not read. A rejected client receives `not_signed_in`,
 * `too_many_requests` or `unavailable` as the message of its `connect_error`.
 */
export function authenticateSockets(io: LiveServer, services: Services): void {
  const connections = new WeakSet<object>()
  const signIns = signInLoader(services)
  const readAuthSession = authSessionReader(services)
  const authenticate = async (socket: LiveSocket): Promise<void> => {
    const name = readAuthSession(socket.request)
    releaseRequest(socket)
    const data = name && (await signIns.load(name))
    if (!data) throw new RuleError('not_signed_in', 'Please sign in')
    await services.limits.use('socket-member', String(data.memberId))
    socket.data = data
  }
  io.use((socket, next) => {
    // One CONNECT per connection: each costs a read of Redis and one of the database.
    if (connections.has(socket.conn)) return socket.conn.close()
    connections.add(socket.conn)
    authenticate(socket).then(
      () => next(),
      (error) => {
        const isRule = error instanceof RuleError
        if (!isRule) services.log.warn({ err: error }, 'handshake failed; client may retry')
        next(new Error(isRule ? error.code : 'unavailable'))
        setTimeout(() => socket.conn.close(), REJECTION_MS).unref()
      },
    )
  })
}
