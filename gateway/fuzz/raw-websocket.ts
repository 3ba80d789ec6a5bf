import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** A WebSocket that sends frames as they are, also such as no library would send. */
export type WebSocket = {
  /** Status of the handshake: 101 where it stands. */
  status: number
  /** All that came since, frames and all. */
  heard(): string
  write(bytes: Buffer): void
  text(text: string): void
  closed: Promise<void>
  destroy(): void
}

export const TEXT = 1
export const BINARY = 2

/** A frame of a client; `first` is its first byte: `0x80` for the last part, and the opcode. */
export function frame(first: number, payload: string | Buffer, isMasked = true): Buffer {
  const bytes = Buffer.from(payload)
  const mask = isMasked ? 0x80 : 0
  const head =
    bytes.length < 126
      ? Buffer.from([first, mask | bytes.length])
      : Buffer.from([first, mask | 126, bytes.length >> 8, bytes.length & 255])
  if (!isMasked) return Buffer.concat([head, bytes])
  const key = Buffer.from([1, 2, 3, 4])
  return Buffer.concat([head, key, bytes.map((byte, at) => byte ^ (key[at % 4] ?? 0))])
}

/** Whether the gateway has sent a frame that closes; its own frames are short and never masked. */
function saysGoodbye(heard: Buffer): boolean {
  let at = heard.indexOf('\r\n\r\n') + 4
  while (at < heard.length) {
    if (((heard[at] ?? 0) & 15) === 8) return true
    const short = (heard[at + 1] ?? 0) & 127
    const size = short === 126 ? heard.readUInt16BE(at + 2) : short
    at += size + (short === 126 ? 4 : 2)
  }
  return false
}

/** Opens one; a handshake that is refused is told by its status. */
export function openWebSocket(
  url: string,
  headers: Record<string, string> = {},
  path = '/socket.io/?EIO=4&transport=websocket',
): Promise<WebSocket> {
  const { hostname, port, host } = new URL(url)
  const all = {
    ...{ Host: host, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    let bytes = Buffer.alloc(0)
    const heard = () => bytes.toString('latin1')
    const closed = new Promise<void>((end) => socket.once('close', () => end()))
    const tell = () => {
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(heard())?.[1] ?? 0),
        heard,
        write: (more) => void socket.write(more),
        text: (text) => void socket.write(frame(0x80 | TEXT, text)),
        closed,
        destroy: () => void socket.destroy(),
      })
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (!heard().includes('\r\n\r\n')) return
      tell()
      // As a client must: what is closed by one side is closed by both.
      if (saysGoodbye(bytes)) socket.destroy()
    })
    socket.once('close', tell)
  })
}
