import { authRoom, type LiveServer, memberRoom } from '#gateway/live/rooms'
import type { SignedOutChange } from '#runtime/change-channel'

/** Closes the sockets of the sign-ins that have ended, and names the reason to their clients. */
export function endSockets(io: LiveServer, change: SignedOutChange): void {
  const room = 'memberId' in change ? memberRoom(change.memberId) : authRoom(change.authSessionId)
  const kept = 'exceptAuthSessionId' in change ? [authRoom(change.exceptAuthSessionId)] : []
  io.to(room).except(kept).emit('signed-out', change.reason)
  io.in(room).except(kept).disconnectSockets(true)
}
