import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { SOCKET_PATH } from '#contract/events'
import { listen } from '#gateway/http/http-server'
import type { BareCommand } from './bare-server.ts'

// Started by bare-server.ts: the limit to compare with, Socket.IO without authentication and rooms.

const server = createServer()
const io = new Server(server, {
  path: SOCKET_PATH,
  transports: ['websocket'],
  serveClient: false,
  pingInterval: 10_000,
  pingTimeout: 5_000,
})

process.on('message', ({ event, payload }: BareCommand) => {
  // Each socket gets a packet of its own, as each member gets figures of their own.
  for (const socket of io.of('/').sockets.values()) socket.emit(event, payload)
})
process.on('disconnect', () => process.exit())
const port = await listen(server, 0, '127.0.0.1')
process.send?.({ port })
