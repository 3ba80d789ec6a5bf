import type { Server, Socket } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#contract/events'
import type { SignedOutChange } from '#runtime/pubsub'

/** Data of an authenticated socket. */
export type SocketData = { memberId: number; authSession: string }
export type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

export const memberRoom = (memberId: number) => `user:${memberId}`
export const authRoom = (authSession: string) => `auth:${authSession}`

export function endSockets(io: LiveServer, change: SignedOutChange): void {
  const room = 'memberId' in change ? memberRoom(change.memberId) : authRoom(change.signInName)
  const kept = 'exceptSignInName' in change ? [authRoom(change.exceptSignInName)] : []
  io.to(room).except(kept).emit('signed-out', change.reason)
  io.in(room).except(kept).disconnectSockets(true)
}

/** `replaced` makes their clients poll instead of reconnect, so two tabs never take turns in closing each other. */
export function replaceOldest(io: LiveServer, memberId: number, limit: number): void {
  const { adapter, sockets } = io.of('/')
  const ids = adapter.rooms.get(memberRoom(memberId)) ?? new Set()
  // A room lists its sockets in the order in which they joined.
  const replaced = [...ids].slice(0, Math.max(0, ids.size - limit))
  for (const socket of replaced.map((id) => sockets.get(id))) {
    socket?.emit('replaced')
    socket?.disconnect(true)
  }
}

/** Packets buffered for one socket; beyond that, pushes are replaced by one `refetch`. */
const MAX_WAITING_PACKETS = 24

/** Parts of Engine.IO that its documentation names and its types declare private or not at all. */
type Connection = { writeBuffer: unknown[]; transport: { socket: { terminate(): void } } }
const connectionOf = ({ conn }: LiveSocket) => conn as unknown as Connection

/**
 * Backpressure: a slow socket costs a bounded buffer, gets one `refetch` for missed pushes, and is closed if a
 * packet waits for `slowReaderMs`. Heartbeats do not bound that time: a client may send pongs without reading.
 */
export function bufferedWriter(io: LiveServer, slowReaderMs: number) {
  const behind = new WeakSet<LiveSocket>()
  const deadlines = new WeakMap<LiveSocket, NodeJS.Timeout>()

  /** A graceful close would wait for the buffer to drain. */
  const cutOff = (socket: LiveSocket) => connectionOf(socket).transport.socket.terminate()

  function onDrain(socket: LiveSocket): void {
    clearTimeout(deadlines.get(socket))
    deadlines.delete(socket)
    if (behind.delete(socket)) socket.emit('refetch')
  }

  function startDeadline(socket: LiveSocket): void {
    if (deadlines.has(socket)) return
    deadlines.set(socket, setTimeout(cutOff, slowReaderMs, socket).unref())
    socket.conn.once('drain', () => onDrain(socket))
  }

  return (memberId: number, push: (socket: LiveSocket) => void): void => {
    const { adapter, sockets } = io.of('/')
    for (const id of adapter.rooms.get(memberRoom(memberId)) ?? []) {
      const socket = sockets.get(id)
      if (!socket) continue
      const isFull = connectionOf(socket).writeBuffer.length > MAX_WAITING_PACKETS
      if (isFull) behind.add(socket)
      if (!behind.has(socket)) push(socket)
      if (connectionOf(socket).writeBuffer.length > 0) startDeadline(socket)
    }
  }
}
