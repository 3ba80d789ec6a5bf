import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { listen } from '#gateway/http/http-server'
import { type LiveServer, memberRoom } from '#gateway/live/sockets'

/** A Socket.IO server without authentication, for tests of what follows the handshake. */
export type SocketServer = {
  io: LiveServer
  /** A connected client socket of that member. */
  connect(memberId: number): Promise<Socket>
  close(): Promise<void>
}

/** Starts the server; call it in `beforeAll`, and `close` in `afterAll`. */
export async function startSocketServer(): Promise<SocketServer> {
  const server = createServer()
  const live: LiveServer = new Server(server, { transports: ['websocket'] })
  live.on('connection', (socket) => {
    socket.join(memberRoom(Number(socket.handshake.auth.memberId)))
  })
  const port = await listen(server, 0, '127.0.0.1')
  const sockets: Socket[] = []
  return {
    io: live,
    async connect(memberId) {
      const socket = io(`http://127.0.0.1:${port}`, {
        transports: ['websocket'],
        forceNew: true,
        auth: { memberId },
      })
      sockets.push(socket)
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      return socket
    },
    async close() {
      for (const socket of sockets) socket.disconnect()
      await live.close()
    },
  }
}
