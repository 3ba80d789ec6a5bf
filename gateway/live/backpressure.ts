import type { LiveServer, LiveSocket } from './rooms.ts'

/** Packets buffered for one socket; beyond that, pushes are replaced by one `refetch`. */
const MAX_WAITING_PACKETS = 24

/** Sockets that missed a push because their buffer was full. */
const behind = new WeakSet<LiveSocket>()

function isSlow(socket: LiveSocket): boolean {
  // Engine.IO documents `writeBuffer`, but its types declare it private.
  const { writeBuffer } = socket.conn as unknown as { writeBuffer: unknown[] }
  return writeBuffer.length > MAX_WAITING_PACKETS
}

/** Emits one `refetch` when the buffer of this socket has drained. */
function refetchWhenDrained(socket: LiveSocket): void {
  if (behind.has(socket)) return
  behind.add(socket)
  socket.conn.once('drain', () => {
    behind.delete(socket)
    socket.emit('refetch')
  })
}

/**
 * Calls `push` for each writable socket of a room. A slow socket costs a bounded buffer and delays
 * no other socket.
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
