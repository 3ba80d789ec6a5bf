import type { Socket } from 'socket.io-client'
import type { ClientEvents, ServerEvents } from '#contract/events'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import {
  answeredSince,
  onNetworkBack,
  socketActive,
  socketBlocked,
  socketDown,
  socketUp,
} from './connection-state.ts'
import { onResume } from './page-wake.ts'
import { blockedForMs, forgetBlocked, rememberBlocked } from './websocket-blocked.ts'

export type LiveSocket = Socket<ServerEvents, ClientEvents>

/** Pause before another try where the server itself closed the socket or refused it. */
const REFUSED_PAUSE_MS = 5 * SECOND_MS
/** Tries that fail before sockets count as blocked, each with a poll answered that shortly before. */
const BLOCKED_TRIES = 2
const ANSWERED_MS = 6 * SECOND_MS
/** How far the tries are spread of all those whose polls are answered again. */
const BACK_SPREAD_MS = 2 * SECOND_MS
/** Pause before another quiet try where HTTP was not answered either. */
const UNCLEAR_PAUSE_MS = MINUTE_MS / 2

export type SocketCallbacks = {
  /** `recovered`: the server has delivered what was missed. */
  up(recovered: boolean): void
  down(): void
  /** The server took the socket and did not want it. */
  refused(): void
  /** Somebody looks again, or the network is back. */
  woken(): void
}

/** Keeps a socket open through whatever happens to network and page; it is closed by the result. */
export function keepSocketConnected(socket: LiveSocket, on: SocketCallbacks): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened = false
  let failures = 0
  let blocked = blockedForMs() > 0

  const tryAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.connect(), ms)
  }
  /** Without a reason to reconnect of its own Socket.IO stays closed for good. */
  const retryRefused = () => {
    if (!socket.active) tryAfter(REFUSED_PAUSE_MS * (0.5 + Math.random()))
  }
  /** Stops trying for a while: polling does, and each try would cost its share of a bad network. */
  const block = () => {
    const clear = answeredSince(Date.now() - UNCLEAR_PAUSE_MS)
    if (clear) rememberBlocked()
    blocked = true
    socket.disconnect()
    socketBlocked()
    on.down()
    tryAfter(clear ? blockedForMs() : UNCLEAR_PAUSE_MS)
  }
  const tryNow = () => {
    clearTimeout(timer)
    socket.disconnect().connect()
  }

  socket.io.on('ping', socketActive)
  socket.on('connect', () => {
    clearTimeout(timer)
    opened = true
    blocked = false
    forgetBlocked()
    socketUp()
    on.up(socket.recovered)
  })
  socket.on('disconnect', () => {
    if (blocked) return
    socketDown()
    on.down()
    retryRefused()
  })
  socket.on('connect_error', () => {
    if (!socket.active) {
      socketDown()
      on.down()
      on.refused()
      return retryRefused()
    }
    if (!opened && answeredSince(Date.now() - ANSWERED_MS)) failures += 1
    if (blocked || failures >= BLOCKED_TRIES) return block()
    socketDown()
    on.down()
  })
  const stopWaking = onResume((slept) => {
    // A pause between tries may be long, and a socket that slept may be dead without a word.
    if (slept || !socket.connected) tryNow()
    on.woken()
  })
  // By now the pause between tries is long, and one under way may wait for an answer of before.
  const stopBack = onNetworkBack(() => {
    if (socket.connected || blocked) return
    clearTimeout(timer)
    timer = setTimeout(tryNow, BACK_SPREAD_MS * Math.random())
  })
  window.addEventListener('offline', tryNow)

  if (blocked) {
    socketBlocked()
    on.down()
    tryAfter(blockedForMs())
  } else {
    socketDown()
    on.down()
    socket.connect()
  }
  return () => {
    clearTimeout(timer)
    stopWaking()
    stopBack()
    window.removeEventListener('offline', tryNow)
    socket.io.off('ping', socketActive)
    socket.removeAllListeners()
    socket.disconnect()
  }
}
