import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/events'
import { sessionCookieReader } from '#gateway/auth/session-cookie'
import { endWithAnswer } from '#gateway/http/http-server'
import type { AllowsOrigin } from '#gateway/security/origins'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import type { Change, ChangeOrigin } from '#runtime/pubsub'
import { createAnnouncer } from './announcer.ts'
import { checkSignIns, handshakeLoader } from './handshake-auth.ts'
import { createPusher } from './pusher.ts'
import {
  authRoom,
  endSockets,
  type LiveServer,
  type LiveSocket,
  memberRoom,
  replaceOldest,
} from './sockets.ts'

/** `code` 4 of Engine.IO: `allowRequest` refused, because of the origin. */
const FORBIDDEN = 4

type Refusal = { code: number; message: string; req: IncomingMessage & Stage }
/** Engine.IO sets `res` on a plain request and `websocket` on one that is upgraded already. */
type Stage = { res?: unknown; websocket?: unknown }
type WebSocketServer = {
  options: { autoPong: boolean; closeTimeout: number }
  on(event: 'wsClientError', listener: (error: Error, socket: Duplex) => void): void
}

/** Answers a refused upgrade in JSON, as other refusals; Engine.IO and ws would answer in text. */
function answerRefusedUpgrades(io: LiveServer, server: HttpServer): void {
  // Engine.IO writes its own answer after this event, unless the connection has ended.
  io.engine.on('connection_error', ({ code, message, req }: Refusal) => {
    if (req.res || req.websocket) return
    endWithAnswer(req.socket, code === FORBIDDEN ? 403 : 400, message)
  })
  // Engine.IO makes its WebSocket server when the HTTP server starts to listen.
  server.on('listening', () => {
    const { ws } = io.engine as unknown as { ws: WebSocketServer }
    // Browsers send no pings: answers to those of a client that reads nothing would fill the memory.
    ws.options.autoPong = false
    // A client that does not answer the close frame would keep its connection for 30 s.
    ws.options.closeTimeout = CLOSING_MS
    ws.on('wsClientError', (error, socket) => endWithAnswer(socket, 400, error.message))
  })
}

/** The HTTP server waits for upgraded connections when it closes, but `closeAllConnections` leaves them out. */
function upgradedConnections(server: HttpServer): Set<Duplex> {
  const open = new Set<Duplex>()
  server.on('upgrade', (_, socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/** Time for a client to answer the close frame when the gateway stops; ws would wait for 30 s. */
const CLOSING_MS = 2_000

/** Time for a rejection to reach the client before its connection is closed. */
const REJECTION_MS = 1_000
/** Longest time from the upgrade to the first message: our client sends it at once. */
const FIRST_MESSAGE_MS = 10_000

/** Nothing reads the request after the handshake; Socket.IO documents how to free it. */
function releaseRequest(socket: LiveSocket): void {
  Object.assign(socket, { handshake: undefined })
  Object.assign(socket.conn, { request: undefined })
}

/** By the signed session cookie only: `auth` and query of the handshake are client input. */
function authenticateSockets(io: LiveServer, services: Services): void {
  const { handshakes } = services.metrics
  const signIns = handshakeLoader(services)
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

type Next = (error?: Error) => void

/** The part of Engine.IO's connection that its types do not declare. */
type Connection = {
  on(event: 'packet', listener: (packet: { type: string }) => void): void
  once(event: 'close', listener: () => void): void
  removeAllListeners(event: 'data'): void
  transport: { socket: { terminate(): void } }
}

/**
 * Our client sends one CONNECT, and at most one DISCONNECT. Socket.IO would answer any number of joins into a
 * buffer without a limit, and would keep a connection that has left.
 */
function cutSenders(io: LiveServer): void {
  // A second transport for a connection would be answered before its messages are seen here.
  io.engine.use((request: { _query: { sid?: string } }, _response: unknown, next: Next) =>
    next(
      request._query.sid === undefined ? undefined : new Error('the transport is never changed'),
    ),
  )
  io.engine.on('connection', (connection: Connection) => {
    const cut = () => connection.transport.socket.terminate()
    const silence = setTimeout(cut, FIRST_MESSAGE_MS)
    connection.once('close', () => clearTimeout(silence))
    let messages = 0
    connection.on('packet', ({ type }) => {
      if (type !== 'message') return
      clearTimeout(silence)
      if (++messages < 2) return
      // Those that arrived together with it are not read any more.
      connection.removeAllListeners('data')
      cut()
    })
  })
}

export function createLive(server: HttpServer, services: Services, allows: AllowsOrigin) {
  const { config, metrics } = services
  const io: LiveServer = new Server(server, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    serveClient: false,
    pingInterval: config.socketPingIntervalMs,
    pingTimeout: config.socketPingTimeoutMs,
    maxHttpBufferSize: 4_096,
    // A connection that sends no CONNECT within this time is closed.
    connectTimeout: 30_000,
    allowRequest: (request, answer) => {
      const { origin } = request.headers
      const isAllowed = origin === undefined ? !config.production : allows(request, origin)
      if (!isAllowed) metrics.handshakes.inc({ outcome: 'forbidden_origin' })
      answer(null, isAllowed)
    },
  })
  const upgraded = upgradedConnections(server)
  answerRefusedUpgrades(io, server)
  cutSenders(io)
  authenticateSockets(io, services)
  io.on('connection', (socket) => {
    metrics.socketsOpen.inc()
    socket.on('disconnect', () => metrics.socketsOpen.dec())
    const { memberId, authSession } = socket.data
    socket.join([memberRoom(memberId), authRoom(authSession)])
    replaceOldest(io, memberId, config.socketsPerMember)
  })
  const pusher = createPusher(io, services)
  const announcer = createAnnouncer(io, services)
  const stopChecking = checkSignIns(io, services)
  return {
    onChange(change: Change, origin: ChangeOrigin) {
      metrics.changeDelay.observe(Math.max(0, Date.now() - origin.sentAt) / 1_000)
      if (change.kind === 'members') return pusher.add(change.memberIds, change.topics, origin)
      if (change.kind === 'tasks') return void io.emit('tasks')
      if (change.kind === 'announcements') return announcer.announce()
      endSockets(io, change)
    },
    announce: announcer.announce,
    refetchAll: () => void io.emit('refetch'),
    async close() {
      stopChecking()
      await announcer.close()
      await pusher.close()
      const cutting = setTimeout(() => {
        for (const socket of upgraded) socket.destroy()
      }, CLOSING_MS)
      await io.close()
      clearTimeout(cutting)
    },
  }
}
