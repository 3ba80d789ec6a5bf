import type { LiveServer, LiveSocket } from './rooms.ts'

/** Packets that may wait for one slow socket; what comes beyond is made up for by one refetch. */
const MAX_WAITING_PACKETS = 24

/** Sockets that were left out of a push because they could not keep up. */
const behind = new WeakSet<LiveSocket>()

function isSlow(socket: LiveSocket): boolean {
  // Engine.IO documents the buffer but declares it private to its types.
  const { writeBuffer } = socket.conn as unknown as { writeBuffer: unknown[] }
  return writeBuffer.length > MAX_WAITING_PACKETS
}

/** The next time that this socket has taken everything, it is told to ask anew, once. */
function refetchWhenDrained(socket: LiveSocket): void {
  if (behind.has(socket)) return
  behind.add(socket)
  socket.conn.once('drain', () => {
    behind.delete(socket)
    socket.emit('refetch')
  })
}

/**
 * Calls `push` for each socket of a room that keeps up. A slow one costs this process no more than
 * a bounded buffer, and never holds the others up.
 */
export function forEachWritable(
  io: LiveServer,
  room: string,
  push: (socket: LiveSocket) => void,
): void {
  const { adapter, sockets } = io.of('/')
  for (const id of adapter.rooms.get(room) ?? []) {
    const socket = sockets.get(id)
    if (!socket) continue
    if (behind.has(socket) || isSlow(socket)) refetchWhenDrained(socket)
    else push(socket)
  }
}
