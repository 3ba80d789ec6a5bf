import type { Socket } from 'node:net'
import { serve } from '#trials/kit/fork'
import { openLeanSocket } from './lean-socket.ts'

// A process of its own, so that it shares no event loop with what is measured.

const CONCURRENT = 500

/** Comparable between processes of one machine. */
const epochMs = () => performance.timeOrigin + performance.now()

const sockets: Socket[] = []
/** Events since the last `count`: the index of their socket, and when they were received as a whole. */
let arrivals: { socket: number; at: number }[] = []
let wanted = 0
let allReceived: (at: number) => void
let failed: (error: Error) => void
let received: Promise<number>

const CALLS = {
  /** Opens a socket for each cookie; returns the time until all have joined, ms. */
  open: (port: number, origin: string, cookies: string[]) =>
    new Promise<number>((resolve, reject) => {
      const startedAt = performance.now()
      let joined = 0
      const openNext = () => {
        const index = sockets.length
        const cookie = cookies[index]
        if (cookie === undefined) return
        const socket = openLeanSocket({
          port,
          origin,
          cookie,
          onJoin() {
            joined++
            if (joined === cookies.length) resolve(performance.now() - startedAt)
            else openNext()
          },
          onEvent() {
            const at = epochMs()
            arrivals.push({ socket: index, at })
            if (arrivals.length === wanted) allReceived(at)
          },
          onClose() {
            const error = new Error('the server closed a socket')
            reject(error)
            failed(error)
          },
        })
        sockets.push(socket)
      }
      for (let i = 0; i < CONCURRENT; i++) openNext()
    }),
  /** Starts to count events again, up to `events`; returns the time, `epochMs`. */
  count(events = 0): number {
    arrivals = []
    wanted = events
    received = new Promise((resolve, reject) => {
      allReceived = resolve
      failed = reject
    })
    // A round may end without it.
    received.catch(() => {})
    return epochMs()
  },
  /** Waits for the last counted event; returns when it was received, `epochMs`. */
  received: () => received,
  arrivals: () => arrivals,
}
export type SocketLoadCalls = typeof CALLS
CALLS.count()
serve(CALLS)
