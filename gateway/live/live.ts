import type { Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/events'
import type { AllowsOrigin } from '#gateway/security/origins'
import type { Services } from '#gateway/services/services'
import type { Change, ChangeOrigin } from '#runtime/pubsub'
import { answerRefusedUpgrades, authenticateSockets } from './handshake.ts'
import { checkSignIns } from './handshake-auth.ts'
import { createPusher } from './pusher.ts'
import {
  authRoom,
  endSockets,
  type LiveServer,
  type LiveSocket,
  memberRoom,
  replaceOldest,
} from './sockets.ts'

/** Our client sends no events, so a socket that does is not our client. */
function disconnectSender(this: LiveSocket): void {
  this.disconnect(true)
}

export type Live = {
  onChange(change: Change, origin: ChangeOrigin): void
  refetchAll(): void
  close(): Promise<void>
}

/** The Socket.IO server of the gateway: authenticated sockets that only receive. */
export function createLive(server: HttpServer, services: Services, allows: AllowsOrigin): Live {
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
  answerRefusedUpgrades(io, server)
  authenticateSockets(io, services)
  io.on('connection', (socket) => {
    const { memberId, authSession } = socket.data
    socket.join([memberRoom(memberId), authRoom(authSession)])
    replaceOldest(io, memberId, config.socketsPerMember)
    socket.onAny(disconnectSender)
  })
  metrics.countSockets(() => io.of('/').sockets.size)
  const pusher = createPusher(io, services)
  const stopChecking = checkSignIns(io, services)
  return {
    onChange(change, origin) {
      metrics.changeDelay.observe(Math.max(0, Date.now() - origin.sentAt) / 1_000)
      if (change.kind === 'members') return pusher.add(change.memberIds, change.topics, origin)
      endSockets(io, change)
    },
    refetchAll: () => void io.emit('refetch'),
    async close() {
      stopChecking()
      await pusher.close()
      await io.close()
    },
  }
}
