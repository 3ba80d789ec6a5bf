import { connect, type Socket } from 'node:net'
import { frame, handshake, readFrames, TEXT } from '#scripts/testing/gateway/wire/raw-socket'

const FIN = 0x80
const CONNECT = frame(FIN | TEXT, '40')
const PONG = frame(FIN | TEXT, '3')

type LeanSocketOptions = {
  port: number
  origin: string
  cookie: string
  onJoin(): void
  onEvent(): void
  onClose(): void
}

/** Type of a packet by its first bytes: Engine.IO's digit, for a message followed by Socket.IO's. */
const typeOf = (packet: Buffer) =>
  packet[0] === 0x34
    ? `4${String.fromCharCode(packet[1] ?? 0)}`
    : String.fromCharCode(packet[0] ?? 0)

/** Counts events at a small part of the cost of `socket.io-client`, so that the load generator is no limit. */
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
  socket.write(handshake(`127.0.0.1:${port}`, { headers: { Origin: origin, Cookie: cookie } }))
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
    const at = readFrames(bytes, (_opcode, payload) => onPacket(typeOf(payload)))
    if (at < bytes.length) unread = bytes.subarray(at)
  })
  socket.on('error', () => {})
  socket.once('close', onClose)
  return socket
}
