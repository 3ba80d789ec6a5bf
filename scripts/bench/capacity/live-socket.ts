import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { SOCKET_PATH } from '#contract/events'

const TEXT = 1

export type LiveSocketOptions = {
  port: number
  headers: Record<string, string>
  /** A Socket.IO event as its packet: `42["changed",{…}]`. */
  onEvent(packet: string): void
  onClosed(): void
}

/** A masked text frame of less than 126 bytes; the mask is zero, which leaves the bytes as they are. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

const CONNECT = textFrame('40')
const PONG = textFrame('3')

/** The texts of the complete frames at the start of a buffer, and their length in bytes. */
function framesIn(buffer: Buffer): { texts: string[]; length: number } {
  const texts: string[] = []
  let at = 0
  while (at + 2 <= buffer.length) {
    const size = (buffer[at + 1] ?? 0) & 0x7f
    const start = at + (size === 126 ? 4 : 2)
    if (start > buffer.length) break
    const end = start + (size === 126 ? buffer.readUInt16BE(at + 2) : size)
    if (end > buffer.length) break
    if (((buffer[at] ?? 0) & 0x0f) === TEXT) texts.push(buffer.toString('utf8', start, end))
    at = end
  }
  return { texts, length: at }
}

function handshake({ port, headers }: LiveSocketOptions): string {
  const all = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${SOCKET_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\n${lines.join('')}\r\n`
}

/**
 * A Socket.IO client over WebSocket that answers heartbeats and keeps nothing, so that one process
 * holds tens of thousands. Resolves once it has joined; rejects if it closes before.
 */
export function openLiveSocket(options: LiveSocketOptions): Promise<void> {
  const socket = connect(options.port, '127.0.0.1').setNoDelay()
  socket.write(handshake(options))
  return new Promise((resolve, reject) => {
    let unread: Buffer = Buffer.alloc(0)
    let isUpgraded = false
    const onPacket = (packet: string) => {
      if (packet === '2') socket.write(PONG)
      else if (packet.startsWith('0')) socket.write(CONNECT)
      else if (packet.startsWith('40')) resolve()
      else if (packet.startsWith('42')) options.onEvent(packet)
      else if (packet.startsWith('44')) socket.destroy()
    }
    socket.on('data', (chunk: Buffer) => {
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      if (!isUpgraded) {
        const end = unread.indexOf('\r\n\r\n')
        if (end < 0) return
        if (unread.toString('latin1', 0, 12) !== 'HTTP/1.1 101') return void socket.destroy()
        isUpgraded = true
        unread = unread.subarray(end + 4)
      }
      const { texts, length } = framesIn(unread)
      unread = unread.subarray(length)
      for (const text of texts) onPacket(text)
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      reject(new Error('the socket was closed before it joined'))
      options.onClosed()
    })
  })
}
