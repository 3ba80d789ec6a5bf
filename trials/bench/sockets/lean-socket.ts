import { connect, type Socket } from 'node:net'
import { SOCKET_PATH } from '#contract/events'
import { frame, TEXT } from '#scripts/testing/gateway/wire/raw-socket'

const FIN = 0x80
const CONNECT = frame(FIN | TEXT, '40')
const PONG = frame(FIN | TEXT, '3')

export type LeanSocketOptions = {
  port: number
  origin: string
  cookie: string
  /** The namespace is joined. */
  onJoin(): void
  /** A Socket.IO event was received as a whole. */
  onEvent(): void
  onClose(): void
}

/** Type of a packet by its first bytes: Engine.IO's digit, for a message followed by Socket.IO's. */
const typeOf = (bytes: Buffer, at: number) =>
  bytes[at] === 0x34
    ? `4${String.fromCharCode(bytes[at + 1] ?? 0)}`
    : String.fromCharCode(bytes[at] ?? 0)

/**
 * A Socket.IO client that only counts what it receives. It costs a small part of `socket.io-client`,
 * so that the load generator does not limit what it measures. Frames are unmasked and below 64 KiB.
 */
export function openLeanSocket({
  port,
  origin,
  cookie,
  onJoin,
  onEvent,
  onClose,
}: LeanSocketOptions): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.write(
    `GET ${SOCKET_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\n\r\n`,
  )
  let isOpen = false
  let unread: Buffer | undefined
  const onPacket = (type: string) => {
    if (type === '42') onEvent()
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
    let at = 0
    while (at + 4 <= bytes.length || (at + 3 <= bytes.length && (bytes[at + 1] ?? 0) < 126)) {
      const isLong = bytes[at + 1] === 126
      const start = at + (isLong ? 4 : 2)
      const end = start + (isLong ? bytes.readUInt16BE(at + 2) : (bytes[at + 1] ?? 0))
      if (end > bytes.length) break
      onPacket(typeOf(bytes, start))
      at = end
    }
    if (at < bytes.length) unread = bytes.subarray(at)
  })
  socket.on('error', () => {})
  socket.once('close', onClose)
  return socket
}
