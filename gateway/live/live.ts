import type { Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/events'
import type { Change } from '#db/process/change-channel'
import type { AllowsOrigin } from '#gateway/security/origins'
import type { Services } from '#gateway/services/services'
import { authenticateSockets } from './handshake.ts'
import { createPusher } from './pusher.ts'
import { authRoom, type LiveServer, type LiveSocket, memberRoom } from './rooms.ts'

/** Interval of the session check: the sockets of an ended sign-in are closed within 35 s. */
const CHECK_MS = 15_000

/** The Socket.IO server of the gateway: authenticated sockets that only receive. */
export function createLive(
  server: HttpServer,
  services: Services,
  allows: AllowsOrigin,
): { onChange(change: Change): void; refetchAll(): void; close(): Promise<void> } {
  const { config, metrics, log } = services
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
      answer(null, isAllowed)
    },
  })
  authenticateSockets(io, services)
  io.on('connection', (socket) => {
    socket.join([memberRoom(socket.data.memberId), authRoom(socket.data.authSession)])
    metrics.socketsOpen.inc()
    socket.on('disconnect', () => metrics.socketsOpen.dec())
    // Our client sends no events, so a socket that does is not our client.
    socket.onAny(() => socket.disconnect(true))
  })
  const pusher = createPusher(io, services)
  const timer = setInterval(() => {
    closeEnded(io, services).catch((error) =>
      log.warn({ err: error }, 'periodic session check of sockets failed; next one follows'),
    )
  }, CHECK_MS)
  return {
    onChange(change) {
      if (change.kind === 'members') return pusher.add(change.memberIds, change.topics)
      const room =
        change.reason === 'logout' ? authRoom(change.authSessionId) : memberRoom(change.memberId)
      io.to(room).emit('signed-out', change.reason)
      io.in(room).disconnectSockets(true)
    },
    refetchAll: () => void io.emit('refetch'),
    async close() {
      clearInterval(timer)
      await pusher.close()
      await io.close()
    },
  }
}

/** Closes sockets whose sign-in has expired, or has ended in a change that this gateway missed. */
async function closeEnded(io: LiveServer, { db, authSessions }: Services): Promise<void> {
  const sockets = [...io.of('/').sockets.values()]
  const memberIds = [...new Set(sockets.map(({ data }) => data.memberId))]
  if (sockets.length === 0) return
  const rows: { id: number; authEpoch: number }[] = await db('users')
    .whereIn('id', memberIds)
    .select('id', 'authEpoch')
  const epochs = new Map(rows.map(({ id, authEpoch }) => [id, authEpoch]))
  const alive = await authSessions.existing(sockets.map(({ data }) => data.authSession))
  const isEnded = ({ data }: LiveSocket) =>
    !alive.has(data.authSession) || epochs.get(data.memberId) !== data.epoch
  for (const socket of sockets.filter(isEnded)) {
    socket.emit('signed-out', 'expired')
    socket.disconnect(true)
  }
}
