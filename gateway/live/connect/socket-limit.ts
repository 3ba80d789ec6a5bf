import { type LiveServer, memberRoom } from '#gateway/live/rooms'

/**
 * Closes the oldest sockets of the member beyond the limit, so that a new tab always gets live
 * figures. `replaced` makes their clients poll instead of reconnecting, so two tabs never take
 * turns in closing each other.
 */
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
