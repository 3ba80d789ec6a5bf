import { connect, type Socket } from 'node:net'
import { frame, handshake, readFrames, TEXT } from '#scripts/testing/gateway/wire/raw-socket'
import { serve } from '#trials/kit/fork'

// A process of its own, so that it shares no event loop with what is measured. Its sockets count events at a small
// part of the cost of `socket.io-client`, so that they are no limit.

const CONCURRENT = 500
const FIN = 0x80
const CONNECT = frame(FIN | TEXT, '40')
const PONG = frame(FIN | TEXT, '3')

/** Comparable between processes of one machine. */
const epochMs = () => performance.timeOrigin + performance.now()

const sockets: Socket[] = []
/** Events since the last `count`: the index of their socket, and when they were received as a whole. */
let arrivals: { socket: number; at: number }[] = []
let wanted = 0
let allReceived: (at: number) => void
let failed: (error: Error) => void
let received: Promise<number>

/** Type of a packet by its first bytes: Engine.IO's digit, for a message followed by Socket.IO's. */
const typeOf = (packet: Buffer) =>
  packet[0] === 0x34
    ? `4${String.fromCharCode(packet[1] ?? 0)}`
    : String.fromCharCode(packet[0] ?? 0)

function receive(index: number): void {
  const at = epochMs()
  arrivals.push({ socket: index, at })
  if (arrivals.length === wanted) allReceived(at)
}

/** The socket becomes the last of `sockets`. */
function open(port: number, origin: string, cookie: string, onJoin: () => void): Socket {
  const index = sockets.length
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.write(handshake(`127.0.0.1:${port}`, { headers: { Origin: origin, Cookie: cookie } }))
  let isOpen = false
  let unread: Buffer | undefined
  const onPacket = (type: string) => {
    if (type === '42') receive(index)
    else if (type === '2') socket.write(PONG)
    else if (type === '0') socket.write(CONNECT)
    else if (type === '40') onJoin()
    else socket.destroy()
  }
  socket.on('data', (chunk) => {
    let bytes = unread ? Buffer.concat([unread, chunk]) : chunk
    unread = undefined
    if (!isOpen) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0 || !bytes.toString('latin1', 0, 12).endsWith('101')) return void socket.destroy()
      isOpen = true
      bytes = bytes.subarray(end + 4)
    }
    const at = readFrames(bytes, (_opcode, payload) => onPacket(typeOf(payload)))
    if (at < bytes.length) unread = bytes.subarray(at)
  })
  sockets.push(socket)
  return socket.on('error', () => {})
}

const CALLS = {
  /** Opens a socket for each cookie; returns the time until all have joined, ms. */
  open: (port: number, origin: string, cookies: string[]) =>
    new Promise<number>((resolve, reject) => {
      const startedAt = performance.now()
      let joined = 0
      const onJoin = () => {
        joined++
        if (joined === cookies.length) resolve(performance.now() - startedAt)
        else openNext()
      }
      const openNext = () => {
        const cookie = cookies[sockets.length]
        if (cookie === undefined) return
        open(port, origin, cookie, onJoin).once('close', () => {
          const error = new Error('the server closed a socket')
          reject(error)
          failed(error)
        })
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
