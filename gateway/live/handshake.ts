import { type IncomingMessage, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { cookieName } from '#gateway/auth/auth-session'
import { authSessionName } from '#gateway/services/auth-session-store'
import { Semaphore } from '#gateway/services/semaphore'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { type LiveServer, type LiveSocket, memberRoom, type SocketData } from './rooms.ts'

/** The cookie decides who a socket is; nothing that a client says in the handshake is believed. */
async function identify(
  app: Koa,
  services: Services,
  request: IncomingMessage,
): Promise<SocketData | undefined> {
  const { config, authSessions, db } = services
  const ctx = app.createContext(request, new ServerResponse(request))
  const id = ctx.cookies.get(cookieName(config), { signed: true })
  const data = id ? await authSessions.get(id) : undefined
  if (!id || data?.memberId === undefined) return undefined
  const member = await db('users').where({ id: data.memberId }).first('authEpoch')
  if (member?.authEpoch !== data.epoch) return undefined
  const { memberId, epoch = 0, expiresAt = 0 } = data
  return { memberId, epoch, expiresAt, authSession: authSessionName(id) }
}

/** Thousands that come back at once wait here, not in front of everybody's requests. */
const MAX_CONCURRENT_HANDSHAKES = 8
/** After a refusal the connection itself is closed, once the refusal has had time to leave. */
const REFUSED_MS = 1_000

/**
 * Lets signed-in members in, each with as many sockets as the settings allow. A refused client hears
 * `not_signed_in`, `too_many_requests` or `unavailable` as the message of its `connect_error`.
 */
export function authenticateSockets(io: LiveServer, app: Koa, services: Services): void {
  const asked = new WeakSet<object>()
  const door = new Semaphore(MAX_CONCURRENT_HANDSHAKES)
  const openOf = (memberId: number) => io.of('/').adapter.rooms.get(memberRoom(memberId))?.size ?? 0
  const admit = async (socket: LiveSocket): Promise<void> => {
    const data = await identify(app, services, socket.request)
    if (!data) throw new RuleError('not_signed_in', 'Please sign in')
    await services.limits.use('socket-member', String(data.memberId))
    if (openOf(data.memberId) >= services.config.socketsPerMember) {
      throw new RuleError('too_many_requests', 'Too many connections')
    }
    socket.data = data
  }
  io.use((socket, next) => {
    // One connection asks once: each asking costs a look into Redis and the database.
    if (asked.has(socket.conn)) return socket.conn.close()
    asked.add(socket.conn)
    const admitted = door.run(() => admit(socket))
    admitted.then(
      () => next(),
      (error) => {
        if (!(error instanceof RuleError))
          services.log.warn({ err: error }, 'a socket was not let in')
        next(new Error(error instanceof RuleError ? error.code : 'unavailable'))
        setTimeout(() => socket.conn.close(), REFUSED_MS).unref()
      },
    )
  })
}
