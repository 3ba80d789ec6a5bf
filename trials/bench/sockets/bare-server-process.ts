import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/events'
import { listen } from '#gateway/http/http-server'
import { serve } from '#trials/kit/fork'

// The limit to compare with: Socket.IO of the product's version without authentication and rooms.

const server = createServer()
const io = new Server(server, {
  path: SOCKET_PATH,
  transports: ['websocket'],
  serveClient: false,
  pingInterval: 10_000,
  pingTimeout: 5_000,
})

const CALLS = {
  listen: (): Promise<number> => listen(server, 0, '127.0.0.1'),
  /** Each socket gets its own packet, as each member gets their own figures. */
  emitToAll(payload: unknown): void {
    for (const socket of io.of('/').sockets.values()) socket.emit('changed', payload)
  },
  broadcast(payload: unknown): void {
    io.emit('announced', payload)
  },
}
export type BareServerCalls = typeof CALLS
serve(CALLS)
