import { storage } from '#client/data/storage.ts'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import {
  answeredSince,
  onNetworkBack,
  socketActive,
  socketBlocked,
  socketDown,
  socketUp,
} from './connection-state.ts'
import type { ClientSocket } from './open-socket.ts'
import { onResume } from './page-resume.ts'

/** Pause after the server has closed or rejected the socket; doubled up to the longest. */
const REJECTED_PAUSE_MS = 5 * SECOND_MS
const LONGEST_REJECTED_PAUSE_MS = 30 * SECOND_MS
/** Pause after newer sockets have replaced this one: the retry replaces another. A visible page connects at once. */
const REPLACED_PAUSE_MS = 15 * MINUTE_MS
/** Failed attempts after which WebSockets count as blocked, if a poll was answered within `ANSWERED_MS`. */
const BLOCKED_ATTEMPTS = 2
const ANSWERED_MS = 6 * SECOND_MS
/** Time over which clients spread their reconnects after the network is back. */
const BACK_SPREAD_MS = 2 * SECOND_MS
/** Pause before the next attempt of a blocked socket if HTTP was not answered either. */
const UNCLEAR_PAUSE_MS = MINUTE_MS / 2

type SocketCallbacks = {
  /** `recovered`: the server has delivered the events that were missed. */
  onConnect(recovered: boolean): void
  /** The socket was lost or could not be opened; may be called repeatedly. */
  onDisconnect(): void
  /** The server rejected the handshake: nobody is signed in. */
  onReject(): void
}

export function keepSocketConnected(socket: ClientSocket, callbacks: SocketCallbacks): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened = false
  let failures = 0
  let blocked = blockedForMs() > 0
  let replaced = false
  let rejectedPauseMs = REJECTED_PAUSE_MS

  const connectAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.connect(), ms)
  }
  const connectNow = () => {
    socket.disconnect()
    // The end of the socket has just planned another attempt.
    clearTimeout(timer)
    socket.connect()
  }
  const lose = () => {
    socketDown()
    callbacks.onDisconnect()
  }
  /** Socket.IO does not reconnect after the server has closed or rejected the socket. */
  const retryRejected = () => {
    if (socket.active) return
    const pauseMs = replaced ? REPLACED_PAUSE_MS : rejectedPauseMs
    rejectedPauseMs = Math.min(LONGEST_REJECTED_PAUSE_MS, rejectedPauseMs * 2)
    connectAfter(pauseMs * (0.5 + Math.random()))
  }
  /** Pauses attempts: polling works, and each attempt takes bandwidth from a slow network. */
  const block = () => {
    const isCertain = answeredSince(Date.now() - UNCLEAR_PAUSE_MS)
    if (isCertain) storage.write('socketsBlockedAt', Date.now())
    blocked = true
    socket.disconnect()
    socketBlocked()
    callbacks.onDisconnect()
    connectAfter(isCertain ? blockedForMs() : UNCLEAR_PAUSE_MS)
  }

  socket.io.on('ping', socketActive)
  socket.on('connect', () => {
    clearTimeout(timer)
    opened = true
    failures = 0
    blocked = false
    replaced = false
    rejectedPauseMs = REJECTED_PAUSE_MS
    if (blockedAt() !== 0) storage.write('socketsBlockedAt', undefined)
    socketUp()
    callbacks.onConnect(socket.recovered)
  })
  socket.on('disconnect', () => {
    if (blocked) return
    lose()
    retryRejected()
  })
  socket.on('replaced', () => {
    replaced = true
    // Closed here, so that Socket.IO does not reconnect if the connection breaks first.
    socket.disconnect()
  })
  socket.on('connect_error', ({ message }) => {
    if (!socket.active) {
      lose()
      if (message === 'not_signed_in') callbacks.onReject()
      return retryRejected()
    }
    if (!opened && answeredSince(Date.now() - ANSWERED_MS)) failures += 1
    if (blocked || failures >= BLOCKED_ATTEMPTS) return block()
    lose()
  })
  const stopResume = onResume((slept) => {
    // The pause before the next attempt may be long, and a socket may have died during the sleep.
    if (slept || !socket.connected) connectNow()
  })
  // Socket.IO's pause is long by now, and a running attempt may wait for an answer that was lost.
  const stopNetworkBack = onNetworkBack(() => {
    if (socket.connected || blocked || replaced) return
    clearTimeout(timer)
    timer = setTimeout(connectNow, BACK_SPREAD_MS * Math.random())
  })
  window.addEventListener('offline', connectNow)

  if (blocked) {
    socketBlocked()
    callbacks.onDisconnect()
    connectAfter(blockedForMs())
  } else {
    lose()
    socket.connect()
  }
  return () => {
    clearTimeout(timer)
    stopResume()
    stopNetworkBack()
    window.removeEventListener('offline', connectNow)
    socket.io.off('ping', socketActive)
    socket.removeAllListeners()
    socket.disconnect()
  }
}

/** How long a browser polls after it found WebSockets blocked, before it tries one again. */
export const BLOCKED_MS = 15 * MINUTE_MS

const blockedAt = () => Number(storage.read('socketsBlockedAt') ?? 0)

/** Real ms until WebSockets are worth another try; 0 if they are now. */
export function blockedForMs(): number {
  const age = Date.now() - blockedAt()
  return age >= 0 && age < BLOCKED_MS ? BLOCKED_MS - age : 0
}
