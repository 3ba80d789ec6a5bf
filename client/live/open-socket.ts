import { io } from 'socket.io-client'
import { SOCKET_PATH } from '#contract/events'
import { SECOND_MS } from '#rules/constants'
import { RECONNECTION } from './reconnection.ts'
import type { ClientSocket } from './socket.ts'

const HANDSHAKE_TIMEOUT_MS = 10 * SECOND_MS

/** The only import of Socket.IO, loaded when needed. */
export function openSocket(): ClientSocket {
  return io({
    path: SOCKET_PATH,
    transports: ['websocket'],
    withCredentials: true,
    timeout: HANDSHAKE_TIMEOUT_MS,
    ...RECONNECTION,
    autoConnect: false,
  })
}
