import { sessionCookieReader } from '#gateway/auth/auth-sessions/session-cookie'
import type { LiveServer, LiveSocket } from '#gateway/live/rooms'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { signInLoader } from './sign-ins.ts'

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

/**
 * Authenticates each handshake by the signed session cookie only: `auth` and query of the handshake
 * are client input and are not read. A rejected client receives `not_signed_in`,
 * `too_many_requests` or `unavailable` as the message of its `connect_error`.
 */
export function authenticateSockets(io: LiveServer, services: Services): void {
  const { handshakes } = services.metrics
  const connections = new WeakSet<object>()
  const signIns = signInLoader(services)
  const signInNameOf = sessionCookieReader(services.config)
  const authenticate = async (socket: LiveSocket): Promise<void> => {
    const name = signInNameOf(socket.request)
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
      () => {
        handshakes.inc({ outcome: 'accepted' })
        next()
      },
      (error) => {
        const isRule = error instanceof RuleError
        if (!isRule) services.log.warn({ err: error }, 'handshake failed; client may retry')
        const outcome = isRule ? error.code : 'unavailable'
        handshakes.inc({ outcome })
        next(new Error(outcome))
        setTimeout(() => socket.conn.close(), REJECTION_MS).unref()
      },
    )
  })
}
