import { socketBlocked, socketExpected } from '#client/live/connection/connection-state.ts'
import { startPolling } from '#client/live/polling.ts'
import { SECOND_MS } from '#rules/constants'
import type { ClientSocket } from './socket.ts'
import { blockedForMs } from './websocket-blocked.ts'

/** Pause before the code of the socket is requested again, real ms. */
const RETRY_MS = 5 * SECOND_MS

/** The function that creates a socket, once its code is loaded. */
export type LoadSocket = () => Promise<() => ClientSocket>

/**
 * Loads the code of the socket and connects with it, until the returned function. While the code
 * cannot be loaded the member's figures are polled.
 * @param connect uses the loaded code and returns what ends the connection
 */
export function loadSocket(
  load: LoadSocket,
  connect: (open: () => ClientSocket) => () => void,
): () => void {
  let stopped = false
  let stop = () => {}

  function poll(): () => void {
    const stopPolling = startPolling()
    const timer = setTimeout(attempt, RETRY_MS)
    return () => {
      clearTimeout(timer)
      stopPolling()
    }
  }
  async function attempt(): Promise<void> {
    const open = await load().catch(() => undefined)
    if (stopped) return
    stop()
    stop = open ? connect(open) : poll()
  }
  if (blockedForMs() > 0) socketBlocked()
  else socketExpected()
  void attempt()
  return () => {
    stopped = true
    stop()
  }
}
