import { type IncomingMessage, ServerResponse } from 'node:http'
import Cookies from 'cookies'
import { cookieName } from '#gateway/auth/auth-session'
import { authSessionName } from '#gateway/services/auth-session-store'
import { Semaphore } from '#gateway/services/semaphore'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { type LiveServer, type LiveSocket, memberRoom, type SocketData } from './rooms.ts'

/**
 * The member behind a handshake, by the signed session cookie only: `auth` and query of the handshake
 * are client input and are not read.
 */
async function identify(
  { config, authSessions, db }: Services,
  request: IncomingMessage,
): Promise<SocketData | undefined> {
  // The response is never sent; `cookies` would set a renewed signature on it.
  const cookies = new Cookies(request, new ServerResponse(request), { keys: config.sessionKeys })
  const id = cookies.get(cookieName(config), { signed: true })
  const data = id ? await authSessions.get(id, Date.now()) : undefined
  if (!id || data?.memberId === undefined) return undefined
  const member = await db('users').where({ id: data.memberId }).first('authEpoch')
  if (member?.authEpoch !== data.epoch) return undefined
  const { memberId, epoch = 0, expiresAt = 0 } = data
  return { memberId, epoch, expiresAt, authSession: authSessionName(id) }
}

/** Limits concurrent handshakes so a reconnect storm cannot starve HTTP requests. */
const MAX_CONCURRENT_HANDSHAKES = 8
/** Time for a rejection to reach the client before its connection is closed. */
const REJECTION_MS = 1_000

/**
 * Authenticates each handshake and limits the sockets of a member. A rejected client receives
 * `not_signed_in`, `too_many_requests` or `unavailable` as the message of its `connect_error`.
 */
export function authenticateSockets(io: LiveServer, services: Services): void {
  const connections = new WeakSet<object>()
  const handshakes = new Semaphore(MAX_CONCURRENT_HANDSHAKES)
  const openOf = (memberId: number) => io.of('/').adapter.rooms.get(memberRoom(memberId))?.size ?? 0
  const authenticate = async (socket: LiveSocket): Promise<void> => {
    const data = await identify(services, socket.request)
    if (!data) throw new RuleError('not_signed_in', 'Please sign in')
    await services.limits.use('socket-member', String(data.memberId))
    if (openOf(data.memberId) >= services.config.socketsPerMember) {
      throw new RuleError('too_many_requests', 'Too many connections')
    }
    socket.data = data
  }
  io.use((socket, next) => {
    // One CONNECT per connection: each costs a read of Redis and one of the database.
    if (connections.has(socket.conn)) return socket.conn.close()
    connections.add(socket.conn)
    handshakes
      .run(() => authenticate(socket))
      .then(
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
