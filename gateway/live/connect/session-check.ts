import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LiveServer } from '#gateway/live/rooms'
import type { Services } from '#gateway/services/services'
import { readSignIns } from './sign-ins.ts'

/** Interval of the check: the sockets of an ended sign-in are closed within 35 s. */
const CHECK_MS = 15_000
/** Sockets per read: bounds the time for which a check blocks the event loop. */
const BATCH = 250

/** Closes sockets whose sign-in has expired, or has ended in a change that this gateway missed. */
async function closeEnded(io: LiveServer, services: Services): Promise<void> {
  const sockets = [...io.of('/').sockets.values()]
  for (let from = 0; from < sockets.length; from += BATCH) {
    const batch = sockets.slice(from, from + BATCH)
    const valid = await readSignIns(services, [
      ...new Set(batch.map(({ data }) => data.authSession)),
    ])
    for (const socket of batch) {
      // Not the epoch: a sign-in that ended all others lives on in the member's new epoch.
      if (valid.get(socket.data.authSession)?.memberId === socket.data.memberId) continue
      socket.emit('signed-out', 'expired')
      socket.disconnect(true)
    }
    await nextTurn()
  }
}

/** Checks the sign-ins of all sockets periodically until the returned function is called. */
export function checkSignIns(io: LiveServer, services: Services): () => void {
  const timer = setInterval(() => {
    closeEnded(io, services).catch((error) =>
      services.log.warn({ err: error }, 'session check of sockets failed; next one follows'),
    )
  }, CHECK_MS)
  return () => clearInterval(timer)
}
