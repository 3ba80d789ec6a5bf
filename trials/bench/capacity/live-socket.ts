import { connect } from 'node:net'
import { frame, handshake, readFrames, TEXT } from '#gateway/testing/wire/raw-socket'

export type LiveSocketOptions = {
  port: number
  headers: Record<string, string>
  /** A Socket.IO event as its packet: `42["changed",{…}]`. */
  onEvent(packet: string): void
  onClosed(): void
}

const CONNECT = frame(0x80 | TEXT, '40')
const PONG = frame(0x80 | TEXT, '3')

/**
 * A Socket.IO client over WebSocket that answers heartbeats and keeps nothing, so that one process
 * holds tens of thousands. Resolves once it has joined; rejects if it closes before.
 */
export function openLiveSocket(options: LiveSocketOptions): Promise<void> {
  const socket = connect(options.port, '127.0.0.1').setNoDelay()
  socket.write(handshake(`127.0.0.1:${options.port}`, options))
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
      const length = readFrames(unread, (opcode, payload) => {
        if (opcode === TEXT) onPacket(payload.toString())
      })
      unread = unread.subarray(length)
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      reject(new Error('the socket was closed before it joined'))
      options.onClosed()
    })
  })
}
