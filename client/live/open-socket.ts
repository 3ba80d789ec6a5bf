import { io, type Socket } from 'socket.io-client'
import { type ClientEvents, type ServerEvents, SOCKET_PATH } from '#contract/events'
import { SECOND_MS } from '#rules/constants'

export type ClientSocket = Socket<ServerEvents, ClientEvents>

/** The first retry follows after 0.4…1.6 s, so that clients do not all reconnect to a restarted gateway at once. */
export const RECONNECTION = {
  reconnectionDelay: SECOND_MS,
  reconnectionDelayMax: 15 * SECOND_MS,
  randomizationFactor: 0.6,
}

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
