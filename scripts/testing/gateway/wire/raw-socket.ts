import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { SOCKET_PATH } from '#contract/events'

/**
 * A WebSocket client that sends any bytes, including frames that RFC 6455 forbids, and costs little
 * enough to open thousands.
 */
export type RawSocket = {
  /** Status of the handshake response: 101 if the socket is open, 0 without a response. */
  status: number
  /** All bytes received, including the handshake and frame headers, as latin1. */
  received(): string
  write(bytes: Buffer): void
  /** Sends one text message. */
  send(text: string): void
  closed: Promise<void>
  destroy(): void
}

export type RawSocketOptions = {
  /** Added to the headers of the handshake, or replacing them. */
  headers?: Record<string, string>
  path?: string
  onMessage?(text: string, socket: RawSocket): void
}

/** Opcodes of frames. */
export const TEXT = 1
export const BINARY = 2
const CLOSE = 8

/** A client frame; the first byte is the FIN bit `0x80`, reserved bits and the opcode. */
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

/**
 * Reads the complete frames at the start of a buffer and returns their length. Gateways send short
 * frames, unmasked and in one part.
 */
export function readFrames(
  buffer: Buffer,
  onFrame: (opcode: number, payload: Buffer) => void,
): number {
  let at = 0
  while (at + 2 <= buffer.length) {
    const isLong = ((buffer[at + 1] ?? 0) & 0x7f) === 126
    const start = at + (isLong ? 4 : 2)
    if (start > buffer.length) break
    const end = start + (isLong ? buffer.readUInt16BE(at + 2) : (buffer[at + 1] ?? 0) & 0x7f)
    if (end > buffer.length) break
    onFrame((buffer[at] ?? 0) & 0x0f, buffer.subarray(start, end))
    at = end
  }
  return at
}

/** The HTTP request that asks for an upgrade; its key changes with each call. */
export function handshake(host: string, { path, headers }: RawSocketOptions): string {
  const all = {
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const target = path ?? `${SOCKET_PATH}/?EIO=4&transport=websocket`
  return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Opens a socket; resolves with the response to the handshake, even if it is a refusal. */
export function openRawSocket(url: string, options: RawSocketOptions = {}): Promise<RawSocket> {
  const { hostname, port, host } = new URL(url)
  const connection = connect(Number(port), hostname)
  connection.write(handshake(host, options))
  let received = ''
  const socket: RawSocket = {
    status: 0,
    received: () => received,
    write: (bytes) => void connection.write(bytes),
    send: (text) => void connection.write(frame(0x80 | TEXT, text)),
    closed: new Promise((resolve) => connection.once('close', () => resolve())),
    destroy: () => void connection.destroy(),
  }
  const onFrame = (opcode: number, payload: Buffer) => {
    if (opcode === TEXT) options.onMessage?.(payload.toString(), socket)
    // RFC 6455 requires both sides to close.
    if (opcode === CLOSE) connection.destroy()
  }
  return new Promise((resolve) => {
    let unread = Buffer.alloc(0)
    connection.on('error', () => {})
    connection.on('data', (chunk) => {
      received += chunk.toString('latin1')
      unread = Buffer.concat([unread, chunk])
      if (socket.status === 0) {
        const end = unread.indexOf('\r\n\r\n')
        if (end < 0) return
        socket.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
        unread = unread.subarray(end + 4)
        resolve(socket)
      }
      if (socket.status === 101) unread = unread.subarray(readFrames(unread, onFrame))
    })
    connection.once('close', () => resolve(socket))
  })
}
