import { io } from 'socket.io-client'
import { SOCKET_PATH } from '#contract/events'
import { SECOND_MS } from '#rules/constants'
import type { ClientSocket } from './socket.ts'

/** Real ms after which a handshake counts as failed. */
const HANDSHAKE_TIMEOUT_MS = 10 * SECOND_MS

/** Creates the socket, which does not connect yet. The only import of Socket.IO, loaded when needed. */
export function openSocket(): ClientSocket {
  return io({
    path: SOCKET_PATH,
    transports: ['websocket'],
    withCredentials: true,
    timeout: HANDSHAKE_TIMEOUT_MS,
    // The first retry follows after 0.4…1.6 s, so that clients do not all reconnect to a restarted
    // gateway at the same time.
    reconnectionDelay: SECOND_MS,
    reconnectionDelayMax: 15 * SECOND_MS,
    randomizationFactor: 0.6,
    autoConnect: false,
  })
}
